import { hasEnded, type Job } from "./types.ts";

// Of two reports about one job, returns the one that counts. A list may have been on its way while
// an event said more; an ended job never runs again, and the decided part of an attempt only grows.
export function newer(known: Job | undefined, told: Job): Job {
  if (!known) return told;
  if (hasEnded(known) && !hasEnded(told)) return known;
  if (hasEnded(told)) return told;
  const sameAttempt = known.attempts === told.attempts && known.status === told.status;
  if (sameAttempt && (told.position ?? 0) < (known.position ?? 0)) return known;
  if (known.attempts > told.attempts) return known;
  return told;
}
