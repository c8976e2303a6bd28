// Ties the parts together: one tab follows the daemon, all tabs hear of it.

import { follow, pause, type FollowOptions } from "./follow.ts";
import { poll, type Listed } from "./poll.ts";
import { holdInOneTab, type Heard } from "./sharing.ts";
import type { Store } from "./store.ts";
import type { Connection, ServerEvent } from "./types.ts";

export interface EventSources {
  store: Store;
  listJobs: () => Promise<Listed>;
  signedIn: FollowOptions["signedIn"];
  // Sends "online" when the daemon, or the network, is back.
  wakeUp: EventTarget;
  signal: AbortSignal;
}

export function startEvents({ store, listJobs, signedIn, wakeUp, signal }: EventSources): void {
  const channel = openChannel(signal);
  let lastId: string | null = null;
  let holds = false;

  const hear = (event: ServerEvent, id: string | null) => {
    if (id !== null) lastId = id;
    store.apply(event);
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<Heard>) => {
    if (data.kind === "event") hear(data.event, data.id);
    if (data.kind === "connection") store.connection.value = data.connection;
    if (data.kind === "hello" && holds) tellNewTab(channel, store);
  });
  channel?.postMessage({ kind: "hello" } satisfies Heard);

  const event = (one: ServerEvent, id: string | null) => {
    hear(one, id);
    channel?.postMessage({ kind: "event", event: one, id } satisfies Heard);
  };
  const connection = (now: Connection) => {
    store.connection.value = now;
    channel?.postMessage({ kind: "connection", connection: now } satisfies Heard);
  };
  const pollJobs = (until: AbortSignal) => pollFor(store, listJobs, event, connection, until);
  void holdInOneTab(async (until) => {
    holds = true;
    await follow({
      event, connection, lastId: () => lastId, poll: pollJobs, signedIn, signal: until, wakeUp,
    });
    holds = false;
  }, signal);
}

// Tabs share a stream by its lock, so without locks there is nothing to hear of other tabs.
function openChannel(signal: AbortSignal): BroadcastChannel | null {
  if (!navigator.locks || typeof BroadcastChannel === "undefined") return null;
  const channel = new BroadcastChannel("scribed-events");
  signal.addEventListener("abort", () => channel.close());
  return channel;
}

// What a tab that was just opened has missed, and lists do not say.
function tellNewTab(channel: BroadcastChannel, store: Store): void {
  const tell = (heard: Heard) => channel.postMessage(heard);
  tell({ kind: "connection", connection: store.connection.peek() });
  const status = store.status.peek();
  if (status) tell({ kind: "event", event: { ...status, type: "status" }, id: null });
  for (const [model, { done, total }] of store.pulls.peek()) {
    const event = { type: "model.progress", model, done_bytes: done, total_bytes: total } as const;
    tell({ kind: "event", event, id: null });
  }
}

// Polls for a while; then the stream is tried again, since a daemon may have been replaced by a
// newer one.
async function pollFor(
  store: Store,
  listJobs: () => Promise<Listed>,
  event: (event: ServerEvent, id: null) => void,
  connection: (now: Connection) => void,
  until: AbortSignal,
): Promise<void> {
  const inner = new AbortController();
  const end = () => inner.abort();
  until.addEventListener("abort", end, { signal: inner.signal });
  const polling = poll({
    list: async () => {
      const jobs = await listJobs();
      connection({ state: "refused" });
      return jobs;
    },
    known: () => store.known(),
    event: (one) => event(one, null),
    failed: () => connection({ state: "lost", answered: false }),
    signal: inner.signal,
  });
  await pause(10 * 60_000, inner.signal);
  end();
  await polling;
}
