import { formatBytes, formatDecimal, formatNumber, languageName, textsOf } from "../../i18n/i18n.ts";
import { models as en } from "../../i18n/en/models.ts";
import { models as de } from "../../i18n/de/models.ts";
import { may } from "../../state/session.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/dialog.tsx";
import { downloadSize } from "../../ui/download_size.ts";
import { FailureText } from "../../ui/failure.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { Progress } from "../../ui/progress.tsx";
import { pullWords } from "../../ui/span_words.ts";
import {
  failures,
  fetchModel,
  loadModel,
  measured,
  pullOf,
  removeModel,
  stopFetching,
  unloadModel,
  type CatalogModel,
} from "./catalog.ts";
import { Report } from "./report.tsx";

const texts = textsOf({ en, de });

type RowProps = {
  model: CatalogModel;
  speakers: CatalogModel | null; // the model for speaker labels, if it is still to be downloaded
  isSuggested: boolean;
};

export function ModelRow({ model, speakers, isSuggested }: RowProps) {
  const pull = pullOf(model);
  const failure = failures.value.get(model.id);
  return (
    <li class="model">
      <div class="about">
        <h3>{model.id}</h3>
        <Marks model={model} isSuggested={isSuggested} />
        <p class="meta">{describe(model)}</p>
        <MoreToKnow model={model} speakers={speakers} />
      </div>
      <div class="row">
        {pull === null && <Actions model={model} />}
        {pull !== null && may("manage") && (
          <Button
            icon="stop"
            aria-label={texts.stopFetching(model.id)}
            onClick={() => void stopFetching(model.id)}
          >
            {texts.stop}
          </Button>
        )}
      </div>
      {pull !== null && (
        <div class="pull">
          <Progress
            share={pull.total > 0 ? pull.done / pull.total : null}
            label={texts.fetching(model.id)}
          />
          <span class="time">{pullWords(pull)}</span>
        </div>
      )}
      {model.damaged !== null && <p class="bad">{texts.damaged(model.damaged)}</p>}
      {failure && <FailureText failure={failure} />}
      {model.installed && model.use === "transcription" && <Report id={model.id} />}
    </li>
  );
}

// How fast it was, or how much is downloaded for it and for speaker labels.
function MoreToKnow({ model, speakers }: Pick<RowProps, "model" | "speakers">) {
  const speed = measured.value.get(model.id);
  if (model.installed && speed) {
    return <p class="meta">{texts.measured(formatDecimal(speed.times), speed.count)}</p>;
  }
  const both = speakers && !model.installed && model.use === "transcription" ? downloadSize([model, speakers]) : "";
  return both === "" ? null : <p class="meta">{texts.withSpeakers(both)}</p>;
}

function Marks({ model, isSuggested }: Pick<RowProps, "model" | "isSuggested">) {
  const marks = [
    isSuggested ? texts.suggested : "",
    model.default ? texts.default : "",
    model.loaded ? texts.loaded : "",
    model.jobs > 0 ? texts.jobs(model.jobs) : "",
  ].filter((mark) => mark !== "");
  return (
    <>
      {marks.map((mark) => (
        <span key={mark} class="mark">
          {mark}
        </span>
      ))}
    </>
  );
}

// "74 M parameters · 99 languages · 148 MB · MIT"
function describe(model: CatalogModel): string {
  const size = model.bytes === null ? downloadSize([model]) : formatBytes(model.bytes);
  return [
    texts.uses[model.use],
    model.parameters ? texts.parameters(model.parameters) : "",
    languagesOf(model.languages),
    size === "" && !model.installed ? texts.sizeUnknown : size,
    model.licence ?? "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function languagesOf(codes: readonly string[]): string {
  if (codes.length === 0) return "";
  if (codes.length <= 3) return codes.map(languageName).join(", ");
  return texts.languages(formatNumber(codes.length));
}

function Actions({ model }: { model: CatalogModel }) {
  if (!may("manage")) return null;
  if (!model.installed) return <FetchButton model={model} />;
  return (
    <>
      {model.damaged !== null && <FetchButton model={model} />}
      <Menu icon="more" label={texts.more(model.id)} items={itemsOf(model)} />
    </>
  );
}

function FetchButton({ model }: { model: CatalogModel }) {
  const size = downloadSize([model]);
  return (
    <Button
      icon="download"
      aria-label={texts.fetchNamed(model.id, size)}
      onClick={() => void fetchModel(model.id)}
    >
      {texts.fetch(size)}
    </Button>
  );
}

function itemsOf(model: CatalogModel): MenuItem[] {
  const items: MenuItem[] = [];
  if (model.use === "transcription") {
    items.push(
      model.loaded
        ? { label: texts.unload, icon: "stop", run: () => void unloadModel(model.id) }
        : { label: texts.load, icon: "play", run: () => void loadModel(model.id) },
    );
  }
  items.push({ label: texts.remove, icon: "trash", danger: true, run: () => void askAndRemove(model) });
  return items;
}

async function askAndRemove(model: CatalogModel): Promise<void> {
  const sure = await confirm({
    title: texts.removeTitle(model.id),
    text: model.source === null ? texts.removeImported : texts.removeText,
    confirm: texts.remove,
    cancel: texts.keep,
    danger: true,
  });
  if (sure) await removeModel(model.id);
}
