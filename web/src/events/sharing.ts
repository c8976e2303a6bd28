// One stream for all tabs of a browser. HTTP/1.1 gives a page six connections to a server, all tabs
// together; so the tab that holds the lock reads the stream, and the others hear from it. Where a
// browser has no locks (a page that came by plain http from another machine), each tab that can be
// seen holds a stream of its own.

import { pause } from "./follow.ts";
import type { Connection, ServerEvent } from "./types.ts";

const lock_name = "scribed-events";

// A tab that was hidden for a moment keeps its stream.
const hidden_grace_ms = 10_000;

export type Heard =
  | { kind: "event"; event: ServerEvent; id: string | null }
  | { kind: "connection"; connection: Connection }
  | { kind: "hello" };

// Runs `hold` in one tab at a time, until `signal` ends. `hold` gets a signal that ends when the
// tab has to let go.
export async function holdInOneTab(
  hold: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (!navigator.locks) return holdWhileVisible(hold, signal);
  try {
    await navigator.locks.request(lock_name, { signal }, () => hold(signal));
  } catch {
    // The request ends in an exception where `signal` is aborted before the lock is there.
  }
}

async function holdWhileVisible(
  hold: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await becomesVisible(signal);
    if (signal.aborted) return;
    const inner = new AbortController();
    const end = () => inner.abort();
    signal.addEventListener("abort", end);
    await Promise.all([hold(inner.signal), staysHidden(inner.signal).then(end)]);
    signal.removeEventListener("abort", end);
  }
}

function becomesVisible(signal: AbortSignal): Promise<void> {
  return until(() => !document.hidden, signal);
}

async function staysHidden(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await until(() => document.hidden, signal);
    await pause(hidden_grace_ms, signal);
    if (document.hidden) return;
  }
}

function until(condition: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!condition() && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}
