// Says that a model is missing which the next recordings need, and fetches it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { post, remove, type Failure } from "../../api/client.ts";
import { jobStore } from "../../events/events.ts";
import type { Problem, Pull } from "../../events/types.ts";
import { missing_models as de } from "../../i18n/de/missing_models.ts";
import { missing_models as en } from "../../i18n/en/missing_models.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { notify } from "../../state/notices.ts";
import { catalog, loadCatalog } from "../../state/server_facts.ts";
import { may } from "../../state/session.ts";
import { Button } from "../../ui/button.tsx";
import { downloadSize } from "../../ui/download_size.ts";
import { FailureText, sentenceOf } from "../../ui/failure.tsx";
import { Progress } from "../../ui/progress.tsx";
import { pullWords } from "../../ui/span_words.ts";

const texts = textsOf({ en, de });

// Why a fetch could not begin.
const refusal = signal<{ model: string; problem: Failure } | null>(null);

type MissingProps = {
  models: readonly string[];
  failure: { model: string; problem: Problem } | null; // of a fetch that had begun
};

export function MissingModels({ models, failure }: MissingProps) {
  const problem = refusal.value ?? failure;
  const known = catalog.value.filter(({ id }) => models.includes(id));
  const together = models.length > 1 && known.length === models.length ? downloadSize(known) : "";
  return (
    <>
      {together !== "" && <p class="meta together">{texts.together(together)}</p>}
      {models.map((model) => (
        <ModelNotice
          key={model}
          model={model}
          problem={problem?.model === model ? problem.problem : null}
        />
      ))}
    </>
  );
}

function ModelNotice({ model, problem }: { model: string; problem: Problem | Failure | null }) {
  useEffect(() => void loadCatalog(), [model]);
  const known = catalog.value.find(({ id }) => id === model);
  const pull = jobStore.pulls.value.get(model) ?? begunPull(known?.pull ?? null);
  if (pull) return <Fetching model={model} pull={pull} />;
  const size = known ? downloadSize([known]) : "";
  const title = model === "speakers" ? texts.speakersMissing : texts.modelMissing(model);
  return (
    <section class="wanting">
      <p>
        <strong>{title}</strong> {size && texts.modelSize(size)}
      </p>
      {problem && <FailureText failure={problem} />}
      {may("manage") ? (
        <p class="row">
          <Button kind="main" icon="download" onClick={() => void fetchModel(model)}>
            {texts.fetchIt}
          </Button>
          <span class="meta">
            {texts.offline} <code>scribed models import PATH</code>
          </span>
        </p>
      ) : (
        <p class="meta">{texts.mayNotFetch}</p>
      )}
    </section>
  );
}

// What the catalogue said of a pull, for as long as no event says more.
function begunPull(pull: { done_bytes: number; total_bytes: number } | null): Pull | null {
  return pull && { done: pull.done_bytes, total: pull.total_bytes, perSecond: null };
}

function Fetching({ model, pull }: { model: string; pull: Pull }) {
  const label = texts.fetching(model);
  return (
    <section class="wanting">
      <p>
        <strong>{label}</strong> <span class="time">{pullWords(pull)}</span>
      </p>
      <div class="bar-row">
        <Progress share={pull.total > 0 ? pull.done / pull.total : null} label={label} />
        {may("manage") && <Button onClick={() => void stopFetch(model)}>{texts.stop}</Button>}
      </div>
    </section>
  );
}

const addressOf = (model: string) => `/v1/models/${encodeURIComponent(model)}/pull`;

async function fetchModel(model: string): Promise<void> {
  refusal.value = null;
  const answer = await post<{ total_bytes: number | null }>(addressOf(model));
  if (answer.ok) {
    const total_bytes = answer.value.total_bytes ?? 0;
    jobStore.apply({ type: "model.progress", model, done_bytes: 0, total_bytes });
  } else if (!isUnderWay(answer.error)) {
    refusal.value = { model, problem: answer.error };
  }
}

async function stopFetch(model: string): Promise<void> {
  const answer = await remove(addressOf(model));
  if (!answer.ok) notify({ text: sentenceOf(answer.error), bad: true });
}

function isUnderWay(error: Failure): boolean {
  return error.code === "pull_running" || error.code === "already_installed";
}
