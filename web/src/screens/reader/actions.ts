// What is done with the whole recording.
import { patch, post, remove, type Result } from "../../api/client.ts";
import type { Job } from "../../events/types.ts";
import { goTo } from "../../router.ts";
import { notify } from "../../state/notices.ts";
import { confirm } from "../../ui/dialog.tsx";
import { sentenceOf } from "../../ui/failure.tsx";
import type { ReaderState } from "./reader_state.ts";
import { texts } from "./texts.ts";
import { titleOf } from "./title_of.ts";

async function done(reader: ReaderState, request: Promise<Result<Job>>): Promise<boolean> {
  const answer = await request;
  if (answer.ok) reader.put(answer.value);
  else notify({ text: sentenceOf(answer.error), bad: true });
  return answer.ok;
}

export const rename = (reader: ReaderState, title: string) =>
  done(reader, patch<Job>(reader.source.path, { title: title.trim() }));

export const togglePinned = (reader: ReaderState, job: Job) =>
  done(reader, patch<Job>(reader.source.path, { pinned: job.pinned !== true }));

export const stopJob = (reader: ReaderState) =>
  done(reader, post<Job>(`${reader.source.path}/cancel`));

export async function deleteJob(reader: ReaderState, job: Job): Promise<void> {
  const title = texts.deleteQuestion(titleOf(job));
  const sure = await confirm({
    title,
    text: texts.deleteForGood,
    confirm: texts.delete,
    cancel: texts.keep,
    danger: true,
  });
  if (!sure) return;
  const answer = await remove(reader.source.path);
  if (answer.ok) goTo({ screen: "recordings" });
  else notify({ text: sentenceOf(answer.error), bad: true });
}
