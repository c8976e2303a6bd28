// Whether a model is missing which the next recordings need. What says so and fetches it is loaded
// only then.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import { jobStore } from "../../events/events.ts";
import type { Problem } from "../../events/types.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { chosenOptions } from "../../state/chosen_options.ts";
import { tellNews } from "../../state/notices.ts";
import { isMissing, loadCatalog, loadOptions, serverOptions } from "../../state/server_facts.ts";
import type { MissingModels } from "./missing_models.tsx";

const texts = textsOf({ en, de });

// What went wrong with the model that was fetched last.
const failure = signal<{ model: string; problem: Problem } | null>(null);

export function watchModels(): void {
  jobStore.listen((event) => {
    if (event.type === "model.removed") void loadOptions();
    if (event.type !== "model.ended") return;
    void loadOptions();
    void loadCatalog();
    const { model, error } = event;
    if (!error) tellNews(texts.isHere(model));
    failure.value = error && error.code !== "cancelled" ? { model, problem: error } : null;
  });
}

export function ModelNotices() {
  const [Loaded, setLoaded] = useState<{ MissingModels: typeof MissingModels } | null>(null);
  const server = serverOptions.value;
  const wanted = chosenOptions.value.model || (server?.default_model ?? "");
  const isListed = server?.models.some(({ id }) => id === wanted) ?? true;
  useEffect(() => {
    if (!isListed) void loadCatalog();
  }, [isListed, wanted]);
  const missing = isMissing(wanted) ? [wanted] : [];
  if (server && !server.tells_speakers && chosenOptions.value.speakers !== "off") missing.push("speakers");
  const isNeeded = missing.length > 0;
  useEffect(() => {
    if (isNeeded) void import("./missing_models.tsx").then(setLoaded);
  }, [isNeeded]);
  return Loaded && <Loaded.MissingModels models={missing} failure={failure.value} />;
}
