// Says that a model is missing which the next recordings need, and fetches it.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { post, remove, type Failure } from "../../api/client.ts";
import { jobStore } from "../../events/events.ts";
import type { Pull } from "../../events/types.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { formatBytes, textsOf } from "../../i18n/i18n.ts";
import { notify } from "../../state/notices.ts";
import { may } from "../../state/session.ts";
import { Button } from "../../ui/button.tsx";
import { FailureText, type Problem } from "../../ui/failure.tsx";
import { Progress } from "../../ui/progress.tsx";
import { pullWords } from "../../ui/span_words.ts";
import { options } from "./options.ts";
import { catalog, isMissing, loadCatalog, loadOptions, serverOptions, type ServerOptions } from "./server_facts.ts";

const texts = textsOf({ en, de });

// What has gone wrong with the model that was fetched last.
const failure = signal<{ model: string; problem: Problem } | null>(null);

export function watchModels(): void {
  jobStore.listen((event) => {
    if (event.type === "model.removed") void loadOptions();
    if (event.type !== "model.ended") return;
    void loadOptions();
    void loadCatalog();
    if (!event.error) notify(texts.isHere(event.model));
    else if (event.error.code !== "cancelled") failure.value = { model: event.model, problem: event.error };
  });
}

export function ModelNotices() {
  const server = serverOptions.value;
  if (!server) return null;
  return <WantedModels server={server} />;
}

function WantedModels({ server }: { server: ServerOptions }) {
  const wanted = options.value.model || server.default_model;
  const isListed = server.models.some(({ id }) => id === wanted);
  useEffect(() => {
    if (!isListed) void loadCatalog();
  }, [isListed, wanted]);
  const wantsSpeakers = options.value.speakers !== "off" && !server.tells_speakers;
  return (
    <>
      {isMissing(wanted) && <ModelNotice model={wanted} title={texts.modelMissing(wanted)} />}
      {wantsSpeakers && <ModelNotice model="speakers" title={texts.speakersMissing} />}
    </>
  );
}

function ModelNotice({ model, title }: { model: string; title: string }) {
  useEffect(() => void loadCatalog(), [model]);
  const known = catalog.value.find(({ id }) => id === model);
  const pull = jobStore.pulls.value.get(model) ?? begunPull(known?.pull ?? null);
  if (pull) return <Fetching model={model} pull={pull} />;
  const size = known?.download_bytes;
  const failed = failure.value?.model === model ? failure.value.problem : null;
  return (
    <section class="wanting">
      <p>
        <strong>{title}</strong> {size ? texts.modelSize(formatBytes(size)) : ""}
      </p>
      {failed && <FailureText failure={failed} />}
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
  const stop = async () => {
    const answer = await remove(`/v1/models/${encodeURIComponent(model)}/pull`);
    if (!answer.ok) notify({ text: answer.error.message, bad: true });
  };
  return (
    <section class="wanting">
      <p>
        <strong>{texts.fetching(model)}</strong> <span class="time">{pullWords(pull)}</span>
      </p>
      <div class="bar-row">
        <Progress share={pull.total > 0 ? pull.done / pull.total : null} label={texts.fetching(model)} />
        {may("manage") && <Button onClick={() => void stop()}>{texts.stop}</Button>}
      </div>
    </section>
  );
}

async function fetchModel(model: string): Promise<void> {
  failure.value = null;
  const answer = await post<{ total_bytes: number | null }>(`/v1/models/${encodeURIComponent(model)}/pull`);
  if (answer.ok) {
    jobStore.apply({ type: "model.progress", model, done_bytes: 0, total_bytes: answer.value.total_bytes ?? 0 });
  } else if (!isUnderWay(answer.error)) {
    failure.value = { model, problem: answer.error };
  }
}

function isUnderWay(error: Failure): boolean {
  return error.code === "pull_running" || error.code === "already_installed";
}
