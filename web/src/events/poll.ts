// Asks for the jobs again and again, where the daemon, or what stands before it, has no stream of
// events.

import { pause } from "./follow.ts";
import { hasEnded, type Job, type ServerEvent } from "./types.ts";
import { waitAfter } from "./waits.ts";

const busy_ms = 2_000;
const idle_ms = 10_000;

// The newest jobs, and whether there are older ones.
export interface Listed {
  data: Job[];
  has_more: boolean;
}

export interface PollOptions {
  list: () => Promise<Listed>;
  known: () => Job[];
  event: (event: ServerEvent) => void;
  failed: () => void;
  signal: AbortSignal;
}

export async function poll(options: PollOptions): Promise<void> {
  let failures = 0;
  while (!options.signal.aborted) {
    let wait_ms = idle_ms;
    try {
      const listed = await options.list();
      for (const event of differences(options.known(), listed)) options.event(event);
      if (listed.data.some((job) => !hasEnded(job))) wait_ms = busy_ms;
      failures = 0;
    } catch {
      failures += 1;
      wait_ms = waitAfter(failures) * 1000;
      options.failed();
    }
    await pause(wait_ms, options.signal);
  }
}

// The events that lead from what is known to what a list says.
export function differences(known: Job[], listed: Listed): ServerEvent[] {
  const before = new Map(known.map((job) => [job.id, job]));
  const there = new Set(listed.data.map((job) => job.id));
  const oldest = listed.has_more ? Math.min(...listed.data.map(createdAt)) : -Infinity;
  const events: ServerEvent[] = [];
  for (const job of [...listed.data].reverse()) {
    const event = differenceOf(before.get(job.id), job);
    if (event) events.push(event);
  }
  for (const job of known) {
    if (!there.has(job.id) && createdAt(job) > oldest) events.push({ type: "job.deleted", job });
  }
  return events;
}

const createdAt = (job: Job) => job.created_at ?? 0;

function differenceOf(before: Job | undefined, job: Job): ServerEvent | null {
  if (!before) return { type: "job.created", job };
  if (JSON.stringify(before) === JSON.stringify(job)) return null;
  if (hasEnded(job) && !hasEnded(before)) return { type: "job.ended", job };
  return { type: hasEnded(job) ? "job.edited" : "job.progress", job };
}
