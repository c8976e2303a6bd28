import { remove } from "../api/client.ts";
import { jobStore } from "../events/events.ts";
import { actOnMany, type NamedJob, type Outcome, type Watch } from "./many_jobs.ts";

// A job that somebody else has deleted meanwhile counts as deleted.
export function deleteMany(jobs: readonly NamedJob[], watch: Watch): Promise<Outcome> {
  return actOnMany(jobs, async (job) => {
    const answer = await remove(`/v1/jobs/${encodeURIComponent(job.id)}`);
    if (!answer.ok && answer.error.status !== 404) return answer;
    jobStore.apply({ type: "job.deleted", job });
    return { ok: true, value: null, etag: null, headers: new Headers() };
  }, watch);
}
