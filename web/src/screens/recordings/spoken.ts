// What is said aloud of a job's way: its begin, its half, its end, and nothing in between.

import { hasEnded, type Job } from "../../events/types.ts";

export type Spoken = "begun" | "half" | "done" | "failed" | null;

// Several changes may be told as one: a job that is new may run already.
export function spokenOf(before: Job | undefined, after: Job, isNew = false): Spoken {
  if (!before) return isNew && after.status === "running" ? "begun" : null;
  if (hasEnded(after) && !hasEnded(before)) {
    if (after.status === "cancelled") return null;
    return after.status === "done" ? "done" : "failed";
  }
  if (before.status === "queued" && after.status === "running") return "begun";
  const passesHalf = (before.percent ?? 0) < 50 && (after.percent ?? 0) >= 50;
  return passesHalf && !hasEnded(before) && !hasEnded(after) ? "half" : null;
}
