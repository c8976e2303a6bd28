// How far a recording is whose text is not all there, why it failed, and what scribed warns of.
import { hasEnded, shareOf, type Job } from "../../../events/types.ts";
import { formatPercent } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureText } from "../../../ui/failure.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { stopJob } from "../actions.ts";
import type { Desk } from "../desk.ts";
import { texts } from "../texts.ts";

export function JobState({ desk, job }: { desk: Desk; job: Job }) {
  if (!hasEnded(job)) return <Working desk={desk} job={job} />;
  if (job.status === "failed" && job.error) {
    return (
      <FailureText failure={job.error}>
        {job.has_audio && <Button onClick={() => desk.show("again")}>{texts.tryAgain}</Button>}
      </FailureText>
    );
  }
  if (job.status === "cancelled") return <p class="meta">{texts.stopped}</p>;
  const empty = desk.reader.loader.whole.value && desk.reader.editor.text.value.length === 0;
  return (
    <>
      {empty && (
        <p>
          <strong>{texts.noSpeech}</strong>
        </p>
      )}
      {job.warnings.map((warning) => (
        <p key={warning} class="meta">{warning}</p>
      ))}
    </>
  );
}

function Working({ desk, job }: { desk: Desk; job: Job }) {
  const share = shareOf(job);
  const words = texts.phases[job.phase];
  return (
    <div class="working">
      <Progress share={share} label={words} />
      <span class="meta">
        {words}
        {share !== null && `, ${formatPercent(share)}`}
      </span>
      {!desk.reader.source.shared && (
        <Button icon="stop" onClick={() => void stopJob(desk.reader)}>
          {texts.stop}
        </Button>
      )}
    </div>
  );
}
