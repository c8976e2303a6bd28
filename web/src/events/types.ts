// What /v1/events says, and the jobs in it. docs/api.md describes the fields.
import type { Job as PlainJob, Problem } from "../api/types.ts";

// A place where the text that was searched for stands. `spans` count as JavaScript does.
export interface Match {
  segment: string;
  start: number;
  text: string;
  spans: [number, number][];
}

// Lists that are searched add where the text stands.
export type Job = PlainJob & { matches?: Match[] };

export type { Problem };

export interface Pull {
  done: number;
  // Zero while the size is not known.
  total: number;
  // Bytes a second, null until two reports are there.
  perSecond: number | null;
}

// Figures are null for a key that may not read the status.
export interface DaemonStatus {
  ready: boolean;
  problem: string | null;
  waiting: number | null;
  running: number | null;
  loaded:
    | { name: string; device: string | null; compute_type: string | null; loading: boolean }[]
    | null;
}

export type ServerEvent =
  | { type: "job.created" | "job.progress" | "job.ended" | "job.edited"; job: Job }
  | { type: "job.deleted"; job: { id: string } }
  | { type: "model.progress"; model: string; done_bytes: number; total_bytes: number }
  | { type: "model.ended"; model: string; error: Problem | null }
  | { type: "model.removed"; model: string }
  | ({ type: "status" } & DaemonStatus)
  | { type: "reset" };

// "refused" stands for a server that has no stream, whose jobs are asked for again and again.
export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  | { state: "refused" }
  // `answered`: the stream has ended, though the daemon may be well.
  | { state: "lost"; answered: boolean };

export function hasEnded(job: Pick<Job, "status">): boolean {
  return job.status !== "queued" && job.status !== "running";
}

// How much of a job is done, 0 to 1; null while nobody knows.
export function shareOf(job: Job): number | null {
  if (job.status !== "running" || job.live) return null;
  if (job.phase === "diarizing" && job.diarized !== null && job.duration) return job.diarized / job.duration;
  return job.phase === "transcribing" && job.percent !== null ? job.percent / 100 : null;
}
