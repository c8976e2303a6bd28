// Keeps a stream of events open for as long as `signal` lets it: reconnects with growing waits, and
// asks for the jobs again and again where the daemon has no stream.

import { readStream, type StreamEnd } from "./stream.ts";
import type { Connection, ServerEvent } from "./types.ts";
import { waitAfter } from "./waits.ts";

export interface Followed {
  event: (event: ServerEvent, id: string | null) => void;
  connection: (connection: Connection) => void;
}

export interface FollowOptions extends Followed {
  signal: AbortSignal;
  lastId: () => string | null;
  // Ends when `signal` does.
  poll: (signal: AbortSignal) => Promise<void>;
  // Ends when somebody has signed in, or `signal` is aborted.
  signedIn: (signal: AbortSignal) => Promise<void>;
  // Sends "online" when there is reason to try at once.
  wakeUp?: EventTarget;
  read?: typeof readStream;
}

export async function follow(options: FollowOptions): Promise<void> {
  let failures = 0;
  while (!options.signal.aborted) {
    const end = await (options.read ?? readStream)({
      lastId: options.lastId(),
      signal: options.signal,
      onOpen: () => {
        failures = 0;
        options.connection({ state: "open" });
      },
      onMessage: ({ id, data }) => tell(options, id, data),
    });
    if (options.signal.aborted) return;
    failures = await afterEnd(end, failures, options);
  }
}

async function afterEnd(end: StreamEnd, failures: number, options: FollowOptions): Promise<number> {
  if (end === "signed_out") {
    await options.signedIn(options.signal);
    return 0;
  }
  if (end === "refused") {
    options.connection({ state: "refused" });
    await options.poll(options.signal);
    return 0;
  }
  options.connection({ state: "lost", answered: end === "broken" });
  await pause(waitAfter(failures + 1) * 1000, options.signal, options.wakeUp);
  return failures + 1;
}

// A message that is no JSON, or of a kind that a newer daemon has, is passed over.
function tell(options: FollowOptions, id: string | null, data: string): void {
  let event: ServerEvent;
  try {
    event = JSON.parse(data) as ServerEvent;
  } catch {
    return;
  }
  options.event(event, id);
}

// Waits; ends early with `signal`, and when `wakeUp` says that there is a network again.
export function pause(ms: number, signal: AbortSignal, wakeUp?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      wakeUp?.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) return done();
    signal.addEventListener("abort", done);
    wakeUp?.addEventListener("online", done);
  });
}
