// The same sound once more, with other options. The text that is there stays.
import { useEffect, useState } from "preact/hooks";
import { post, type Failure } from "../../../api/client.ts";
import { jobStore } from "../../../events/events.ts";
import type { Job } from "../../../events/types.ts";
import { languageName } from "../../../i18n/i18n.ts";
import { goTo } from "../../../router.ts";
import { loadOptions, serverOptions } from "../../../state/server_facts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/failure.tsx";
import type { Desk } from "../desk.ts";
import { texts } from "./texts.ts";

export function AgainDialog({ desk, job }: { desk: Desk; job: Job }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [model, setModel] = useState(job.model);
  const [language, setLanguage] = useState(job.language ?? "auto");
  const [translate, setTranslate] = useState(job.task === "translate");
  const [diarize, setDiarize] = useState(job.diarize);

  const options = serverOptions.value;
  useEffect(() => void loadOptions(), []);

  const submit = async (event: Event) => {
    event.preventDefault();
    const answer = await post<Job>(`${desk.reader.source.path}/again`, {
      model,
      ...(language === "auto" ? {} : { language }),
      task: translate ? "translate" : "transcribe",
      diarize,
      word_timestamps: true,
    });
    if (!answer.ok) return setFailure(answer.error);
    jobStore.put(answer.value);
    goTo({ screen: "reader", id: answer.value.id });
  };
  const models = options?.models.map(({ id }) => id) ?? [job.model];
  const spoken = options?.models.find(({ id }) => id === model)?.languages ?? [];
  const languages = [...new Set([...spoken, ...(job.language ? [job.language] : [])])]
    .map((code) => ({ code, name: languageName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={texts.again} onClose={() => desk.show(null)}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="meta">{texts.againHint}</p>
        <label class="wide-field">
          {texts.model}
          <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
            {models.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label class="wide-field">
          {texts.spokenLanguage}
          <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
            <option value="auto">{texts.automatic}</option>
            {languages.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input type="checkbox" checked={translate} onChange={(event) => setTranslate(event.currentTarget.checked)} />
          {texts.translate}
        </label>
        <label>
          <input type="checkbox" checked={diarize} disabled={options?.tells_speakers === false} onChange={(event) => setDiarize(event.currentTarget.checked)} />
          {texts.tellSpeakers}
        </label>
        {failure && <FailureText failure={failure} />}
        <Button kind="main" type="submit">
          {texts.againDo}
        </Button>
      </form>
    </Dialog>
  );
}
