// How fast recordings became text.
import type { Job } from "../api/types.ts";

export type Speed = { title: string; times: number };

// Returns the jobs that have ended well, the oldest first, with how many times real time each took.
export function speedsOf(jobs: readonly Job[], most = 30): Speed[] {
  const speeds: Speed[] = [];
  for (const job of jobs) {
    const { duration, started_at: began, finished_at: ended } = job;
    if (job.status !== "done" || !duration || began === null || ended === null) continue;
    if (ended <= began || "live" in job && job.live === true) continue;
    speeds.push({ title: job.title ?? job.id, times: duration / (ended - began) });
  }
  return speeds.slice(0, most).reverse();
}

export function medianOf(speeds: readonly Speed[]): number | null {
  const sorted = speeds.map(({ times }) => times).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
