// Jobs in the order in which they are shown: what is in work in the order of its turn, what is
// pinned, then by days.

import { hasEnded, type Job } from "../../events/types.ts";

export type Day = "today" | "yesterday" | "week" | { month: number; year: number };

export interface Group {
  key: string;
  kind: "in_work" | "pinned" | "day" | "found";
  day?: Day;
  jobs: Job[];
}

export function groupsOf(jobs: readonly Job[], now: Date, searches: boolean): Group[] {
  const newestFirst = [...jobs].sort((a, b) => (b.created_at ?? 0) - (a.created_at ?? 0));
  if (searches) return filled([{ key: "found", kind: "found", jobs: newestFirst }]);
  const inWork = newestFirst.filter((job) => !hasEnded(job)).sort(byTurn);
  const ended = newestFirst.filter(hasEnded);
  return filled([
    { key: "in_work", kind: "in_work", jobs: inWork },
    { key: "pinned", kind: "pinned", jobs: ended.filter((job) => job.pinned) },
    ...byDay(ended.filter((job) => !job.pinned), now),
  ]);
}

function filled(groups: Group[]): Group[] {
  return groups.filter(({ jobs }) => jobs.length > 0);
}

// Running jobs first, then those that wait, each as its turn comes.
function byTurn(a: Job, b: Job): number {
  return turnOf(a) - turnOf(b) || (a.created_at ?? 0) - (b.created_at ?? 0);
}

function turnOf(job: Job): number {
  return job.status === "running" ? 0 : (job.queue_place ?? Number.MAX_SAFE_INTEGER);
}

function byDay(jobs: Job[], now: Date): Group[] {
  const groups: Group[] = [];
  for (const job of jobs) {
    const day = dayOf(new Date((job.created_at ?? 0) * 1000), now);
    const key = typeof day === "string" ? day : `${day.year}-${day.month}`;
    const last = groups.at(-1);
    if (last?.key === key) last.jobs.push(job);
    else groups.push({ key, kind: "day", day, jobs: [job] });
  }
  return groups;
}

export function dayOf(at: Date, now: Date): Day {
  const days = calendarDays(now) - calendarDays(at);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return "week";
  return { month: at.getMonth(), year: at.getFullYear() };
}

// Days since a fixed one, by the calendar of this place: a day of 23 hours counts as one.
function calendarDays(at: Date): number {
  return Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000);
}
