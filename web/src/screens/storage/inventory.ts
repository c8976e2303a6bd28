// What is known of each recording of one's own, as far as it matters for storage. There may be
// many thousands, so no more than that is kept of them.

import type { Job } from "../../events/types.ts";

type JobFacts = Omit<Job, "matches">;

export interface Stored {
  id: string;
  name: string;
  at: number; // when it ended, in seconds since 1970
  bytes: number; // of its audio; 0: none is kept
  pinned: boolean;
  edited: boolean; // somebody has changed its text or its names
  shared: boolean; // a link opens it now
}

// Which recordings are to be deleted.
export interface OldChoice {
  days: number;
  pinned: boolean;
  edited: boolean;
  shared: boolean;
}

export const usual_choice: OldChoice = { days: 30, pinned: false, edited: false, shared: false };

// Of a job that has not ended there is nothing to say yet.
export function storedOf(job: JobFacts, shared: ReadonlySet<string>): Stored | null {
  if (job.status === "queued" || job.status === "running") return null;
  return {
    id: job.id,
    name: job.title ?? "",
    at: job.finished_at ?? job.created_at ?? 0,
    bytes: job.audio?.bytes ?? 0,
    pinned: job.pinned,
    edited: isEdited(job),
    shared: shared.has(job.id),
  };
}

// A speaker whom nobody has named is called by the label.
function isEdited(job: JobFacts): boolean {
  const isNamed = Object.entries(job.speaker_names).some(([label, name]) => label !== name);
  return job.version > 0 || isNamed || job.title !== job.filename;
}

// `now` in seconds since 1970.
export function oldOnes(all: readonly Stored[], choice: OldChoice, now: number): Stored[] {
  const latest = now - choice.days * 86_400;
  return all.filter(
    (one) =>
      one.at <= latest &&
      (choice.pinned || !one.pinned) &&
      (choice.edited || !one.edited) &&
      (choice.shared || !one.shared),
  );
}

export function largestOf(all: readonly Stored[], most: number): Stored[] {
  return all.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes).slice(0, most);
}

export function oldestOf(all: readonly Stored[], most: number): Stored[] {
  return [...all].sort((a, b) => a.at - b.at).slice(0, most);
}

export const bytesOf = (some: readonly Stored[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);

// Widths of the parts of a bar, in thousandths of it. What there is can always be seen.
export function partsOf(amounts: readonly number[], limit: number | null): number[] {
  const used = amounts.reduce((sum, amount) => sum + amount, 0);
  const whole = Math.max(limit ?? used, used, 1);
  return amounts.map((amount) => (amount === 0 ? 0 : Math.max(4, (amount / whole) * 1000)));
}
