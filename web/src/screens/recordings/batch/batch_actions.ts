// The requests for all recordings that are selected.

import { getBytes, type Failure, type Result } from "../../../api/client.ts";
import { jobStore } from "../../../events/events.ts";
import { hasEnded, type Job } from "../../../events/types.ts";
import { batch as de } from "../../../i18n/de/batch.ts";
import { batch as en } from "../../../i18n/en/batch.ts";
import { textsOf } from "../../../i18n/i18n.ts";
import { deleteMany } from "../../../state/delete_many.ts";
import { actOnMany, type Outcome, type Watch } from "../../../state/many_jobs.ts";
import { repeatJob } from "../../../state/repeat_job.ts";
import { NamesInZip } from "./zip_names.ts";

const texts = textsOf({ en, de });

export interface Chosen {
  id: string;
  name: string;
  job: Job;
}

// The jobs of these ids that are still there, in their order.
export function chosenOf(ids: Iterable<string>): Chosen[] {
  const found: Chosen[] = [];
  for (const id of ids) {
    const job = jobStore.job(id)?.peek();
    if (job) found.push({ id, name: job.title || texts.untitled, job });
  }
  return found;
}

export const deleteChosen = (chosen: readonly Chosen[], watch: Watch): Promise<Outcome> => deleteMany(chosen, watch);

export function repeatChosen(chosen: readonly Chosen[], watch: Watch): Promise<Outcome> {
  return actOnMany(chosen, async ({ job }) => {
    if (!hasEnded(job)) return refusal("job_not_ended", texts.notEnded);
    if (!job.has_audio) return refusal("no_sound", texts.noAudio);
    const answer = await repeatJob(job);
    if (answer.ok) jobStore.apply({ type: "job.created", job: answer.value });
    return answer;
  }, watch);
}

// Saves the transcripts as one file. What has none is left out.
export async function saveChosen(chosen: readonly Chosen[], format: string, watch: Watch): Promise<Outcome> {
  const { ZipFile } = await import("./zip_file.ts");
  const zip = new ZipFile();
  const names = new NamesInZip(format);
  const outcome = await actOnMany(chosen, async ({ job, name }) => {
    if (!hasEnded(job)) return refusal("job_not_ended", texts.notEnded);
    if (job.status !== "done" && job.segments === 0) return refusal("no_text", texts.noText);
    const path = `/v1/jobs/${encodeURIComponent(job.id)}/transcript?format=${format}`;
    const answer = await getBytes(path, { signal: watch.signal });
    if (answer.ok) zip.add(names.of(name), new Uint8Array(answer.value), format !== "docx");
    return answer;
  }, watch);
  if (outcome.done > 0 && !watch.signal.aborted) save(zip.end(), `transcripts-${format}.zip`);
  return outcome;
}

function refusal(code: string, message: string): Result<never> {
  const error: Failure = { code, message, status: 409 };
  return { ok: false, error };
}

const forgotten_ms = 60_000; // by then every browser has taken the bytes

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), forgotten_ms);
}
