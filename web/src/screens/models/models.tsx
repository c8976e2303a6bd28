// Which models are here, and which can be fetched.
import { useEffect } from "preact/hooks";
import { formatDecimal, textsOf } from "../../i18n/i18n.ts";
import { models as en } from "../../i18n/en/models.ts";
import { models as de } from "../../i18n/de/models.ts";
import { reconnections } from "../../state/connection.ts";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useTitle } from "../../ui/title.ts";
import { catalog, loadCatalog, loadMeasured, measured, watchCatalog, type CatalogModel } from "./catalog.ts";
import { suggestedOf } from "./measured.ts";
import { ModelRow } from "./model_row.tsx";

const texts = textsOf({ en, de });

export function Models() {
  const rounds = reconnections.value;
  useEffect(() => {
    void loadCatalog();
    void loadMeasured();
  }, [rounds]);
  useEffect(watchCatalog, []);
  useTitle(texts.title);
  const answer = catalog.value;
  return (
    <>
      <h1>{texts.title}</h1>
      {answer === null && <Loading />}
      {answer?.ok === false && <FailureText failure={answer.error} />}
      {answer?.ok && <Lists models={answer.value.data} />}
    </>
  );
}

function Lists({ models }: { models: CatalogModel[] }) {
  const speech = models.filter((model) => model.use === "transcription");
  const here = (model: CatalogModel) => model.installed;
  const suggested = suggestedOf(speech, measured.value);
  const speakers = models.find((model) => model.use === "speaker_recognition" && !model.installed) ?? null;
  const more = { speakers, suggested };
  return (
    <>
      <p class="meta">{texts.about}</p>
      {suggested && (
        <p>{texts.suggestion(suggested.id, formatDecimal(measured.value.get(suggested.id)!.times))}</p>
      )}
      <List title={texts.here} models={speech.filter(here)} {...more} empty={texts.noneHere} />
      <List title={texts.available} models={speech.filter((model) => !here(model))} {...more} />
      <List title={texts.helpers} models={models.filter((model) => model.use !== "transcription")} {...more} />
      <h2>{texts.offline}</h2>
      <p>{texts.offlineText}</p>
      <pre>{"scribed models check PATH\nscribed models import PATH"}</pre>
    </>
  );
}

type ListProps = {
  title: string;
  models: CatalogModel[];
  speakers: CatalogModel | null;
  suggested: CatalogModel | null;
  empty?: string;
};

function List({ title, models, speakers, suggested, empty }: ListProps) {
  if (models.length === 0 && empty === undefined) return null;
  return (
    <section>
      <h2>{title}</h2>
      {models.length === 0 && <p>{empty}</p>}
      <ul class="models">
        {models.map((model) => (
          <ModelRow key={model.id} model={model} speakers={speakers} isSuggested={model === suggested} />
        ))}
      </ul>
    </section>
  );
}
