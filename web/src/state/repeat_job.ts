import { post, type Result } from "../api/client.ts";
import type { Job } from "../events/types.ts";
import { chosenOptions } from "./chosen_options.ts";
import { jobFields } from "./job_options.ts";
import { serverOptions } from "./server_facts.ts";

// Transcribes the kept audio of a job again, with the options of the screen and what `more` sets
// beside them.
export function repeatJob(
  job: Pick<Job, "id" | "model">,
  more: Record<string, string> = {},
): Promise<Result<Job>> {
  const chosen = chosenOptions.peek();
  const model = chosen.model || serverOptions.peek()?.default_model || job.model;
  const fields = { ...Object.fromEntries(jobFields({ ...chosen, model })), ...more };
  return post<Job>(`/v1/jobs/${encodeURIComponent(job.id)}/again`, fields);
}
