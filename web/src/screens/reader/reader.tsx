// One recording and its text.
import { useEffect, useState } from "preact/hooks";
import { get, getText, type Failure } from "../../api/client.ts";
import type { Job } from "../../api/types.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { reader as en } from "../../i18n/en/reader.ts";
import { reader as de } from "../../i18n/de/reader.ts";
import { hrefOf } from "../../router.ts";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useTitle } from "../../ui/title.ts";

export { Shared } from "./shared.tsx";

const texts = textsOf({ en, de });

type Shown = { job: Job; text: string };

async function read(id: string): Promise<Shown | Failure> {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const [job, text] = await Promise.all([get<Job>(path), getText(`${path}/transcript?format=txt`)]);
  if (!job.ok) return job.error;
  if (!text.ok) return text.error;
  return { job: job.value, text: text.value };
}

export function Reader({ id }: { id: string }) {
  const [shown, setShown] = useState<Shown | Failure | null>(null);
  useEffect(() => void read(id).then(setShown), [id]);
  const title = shown && "job" in shown ? (shown.job.title ?? id) : texts.title;
  useTitle(title);
  return (
    <>
      <p>
        <a href={hrefOf({ screen: "recordings" })}>{texts.back}</a>
      </p>
      <h1>{title}</h1>
      {shown === null && <Loading />}
      {shown && "code" in shown && <FailureText failure={shown} />}
      {shown && "job" in shown && (
        <div class="transcript" lang={shown.job.language ?? undefined} dir="auto">
          {shown.text}
        </div>
      )}
    </>
  );
}
