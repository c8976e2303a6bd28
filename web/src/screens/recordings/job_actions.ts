// What can be done with a job. Answers go into the store; other tabs hear of it by an event.

import { patch, post, remove } from "../../api/client.ts";
import { jobStore } from "../../events/events.ts";
import type { Job } from "../../events/types.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { notify } from "../../state/notices.ts";
import { confirm } from "../../ui/dialog.tsx";
import { sentenceOf } from "../../ui/failure.tsx";
import { repeatJob } from "../../state/repeat_job.ts";
import { titleOf } from "./job_words.ts";
import { jobList } from "./page_list.ts";

const texts = textsOf({ en, de });

const addressOf = (job: Job, more = "") => `/v1/jobs/${encodeURIComponent(job.id)}${more}`;

export async function stopJob(job: Job): Promise<void> {
  const answer = await post<Job>(addressOf(job, "/cancel"));
  if (answer.ok) jobStore.apply({ type: "job.ended", job: answer.value });
  else notify({ text: sentenceOf(answer.error), bad: true });
}

export async function changeJob(job: Job, changes: { title?: string; pinned?: boolean }): Promise<void> {
  const answer = await patch<Job>(addressOf(job), changes);
  if (answer.ok) jobStore.apply({ type: "job.edited", job: answer.value });
  else notify({ text: sentenceOf(answer.error), bad: true });
}

export async function transcribeAgain(job: Job, more: Record<string, string> = {}): Promise<void> {
  const answer = await repeatJob(job, more);
  if (!answer.ok) return notify({ text: sentenceOf(answer.error), bad: true });
  jobList.put(answer.value);
  notify(texts.againStarted);
}

// Asks, and returns whether it is gone.
export async function deleteJob(job: Job): Promise<boolean> {
  const title = titleOf(job);
  const question = { title: texts.deleteTitle(title), text: texts.deleteText, confirm: texts.delete, danger: true };
  if (!(await confirm(question))) return false;
  const answer = await remove(addressOf(job));
  if (!answer.ok && answer.error.status !== 404) {
    notify({ text: sentenceOf(answer.error), bad: true });
    return false;
  }
  jobStore.apply({ type: "job.deleted", job });
  notify(texts.deleted(title));
  return true;
}
