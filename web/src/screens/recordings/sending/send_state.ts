// What is known of a file on its way to the daemon.

import type { Failure } from "../../../api/client.ts";
import type { JobOptions } from "../../../state/job_options.ts";

export type SendState =
  // Its length and its sound are being looked at.
  | { kind: "checking" }
  | { kind: "waiting" }
  | { kind: "sending"; perSecond: number | null }
  // The line is broken, and the sending goes on by itself.
  | { kind: "broken"; why: string | null }
  // The daemon has all of it, and is told what to do with it.
  | { kind: "submitting" }
  // The model that it wants is not installed.
  | { kind: "needs_model"; model: string }
  // A reload has taken the file; the same one has to be chosen again.
  | { kind: "file_wanted" }
  | { kind: "refused"; error: Failure }
  | { kind: "too_large"; limit: number }
  | { kind: "too_long"; seconds: number; limit: number }
  | { kind: "silent" };

export interface Sending {
  key: string;
  name: string;
  size: number;
  modified: number;
  options: JobOptions;
  // Null after a reload.
  file: File | null;
  uploadId: string | null;
  sent: number;
  whole: boolean;
  state: SendState;
}

// Two at a time keep a line full, and leave connections for the rest of the page.
export const most_at_once = 2;

// Returns the next ones to begin, in the order in which they were dropped.
export function nextToSend(all: readonly Pick<Sending, "state">[]): number[] {
  const busy = all.filter(({ state }) => isBusy(state)).length;
  const next: number[] = [];
  all.forEach(({ state }, place) => {
    if (state.kind === "waiting" && busy + next.length < most_at_once) next.push(place);
  });
  return next;
}

function isBusy(state: SendState): boolean {
  return ["checking", "sending", "broken", "submitting"].includes(state.kind);
}

// Whether something is lost if the page is closed now.
export function isUnderWay(state: SendState): boolean {
  return isBusy(state) || state.kind === "waiting" || state.kind === "needs_model";
}

// No answer, nobody signed in, and a daemon that has no room or no time just now.
const passing = new Set([0, 401, 429, 502, 503, 504]);

// Whether it is worth to come again later, because the fault is not the file's.
export function comesAgain(error: Failure): boolean {
  return passing.has(error.status);
}
