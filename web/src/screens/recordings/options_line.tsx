// What is wanted of the next recordings, in one line. The browser remembers it.

import type { ComponentChildren } from "preact";

import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { languageName, textsOf } from "../../i18n/i18n.ts";
import type { JobOptions } from "../../state/job_options.ts";
import { chooseOptions, chosenOptions } from "../../state/chosen_options.ts";
import { isMissing, serverOptions, type ServerOptions } from "../../state/server_facts.ts";

const texts = textsOf({ en, de });

const most_speakers = 8;
const most_tracks = 8;

export function OptionsLine() {
  const server = serverOptions.value;
  const chosen = chosenOptions.value;
  return (
    <fieldset class="options" disabled={server === null}>
      <legend class="unseen">{texts.options}</legend>
      <Choice label={texts.language} value={chosen.language} choose={(language) => chooseOptions({ language })}>
        <option value="auto">{texts.anyLanguage}</option>
        {languagesOf(server, chosen).map(({ code, name }) => (
          <option key={code} value={code}>{name}</option>
        ))}
      </Choice>
      <Choice label={texts.model} value={chosen.model || (server?.default_model ?? "")} choose={chooseModel}>
        {modelsOf(server, chosen).map((id) => (
          <option key={id} value={id}>{isMissing(id) ? texts.notHere(id) : id}</option>
        ))}
      </Choice>
      <Choice label={texts.speakers} value={`${chosen.speakers}`} choose={chooseSpeakers}>
        <option value="off">{texts.speakersOff}</option>
        <option value="auto">{texts.speakersAuto}</option>
        {Array.from({ length: most_speakers - 1 }, (_, place) => place + 2).map((count) => (
          <option key={count} value={`${count}`}>{texts.speakerCount(count)}</option>
        ))}
      </Choice>
      <Choice
        label={texts.audioTrack}
        value={`${chosen.audioTrack}`}
        choose={(number) => chooseOptions({ audioTrack: Number(number) })}
      >
        <option value="0">{texts.mainTrack}</option>
        {Array.from({ length: most_tracks }, (_, place) => place + 1).map((number) => (
          <option key={number} value={`${number}`}>{number}</option>
        ))}
      </Choice>
      <Choice label={texts.format} value={chosen.format} choose={(format) => chooseOptions({ format })}>
        {(server?.formats ?? [chosen.format]).filter(isOffered).map((format) => (
          <option key={format} value={format}>{texts.formats[format]}</option>
        ))}
      </Choice>
      <Check
        label={texts.wordTimes}
        checked={chosen.wordTimes}
        check={(wordTimes) => chooseOptions({ wordTimes })}
      />
      <Check
        label={texts.translate}
        checked={chosen.translate}
        check={(translate) => chooseOptions({ translate })}
      />
    </fieldset>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  choose: (value: string) => void;
  children: ComponentChildren;
};

export function Choice({ label, value, choose, children }: ChoiceProps) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

type CheckProps = {
  label: string;
  checked: boolean;
  check: (checked: boolean) => void;
};

function Check({ label, checked, check }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => check(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

// A model that the daemon does not name as its default stays chosen by name.
function chooseModel(model: string): void {
  chooseOptions({ model: model === serverOptions.peek()?.default_model ? "" : model });
}

function chooseSpeakers(value: string): void {
  chooseOptions({ speakers: value === "off" || value === "auto" ? value : Number(value) });
}

// Formats for programs alone have no name here.
function isOffered(format: string): boolean {
  return texts.formats[format] !== undefined;
}

// The models that are here, and the chosen one wherever it is.
function modelsOf(server: ServerOptions | null, chosen: JobOptions): string[] {
  const wanted = [server?.default_model ?? "", chosen.model].filter(Boolean);
  return [...new Set([...(server?.models ?? []).map(({ id }) => id), ...wanted])];
}

// The languages of the chosen model, by their names in the language of the page.
function languagesOf(server: ServerOptions | null, chosen: JobOptions): { code: string; name: string }[] {
  const model = server?.models.find(({ id }) => id === (chosen.model || server.default_model));
  const codes = new Set(model?.languages.length ? model.languages : server?.languages.map(({ code }) => code));
  if (chosen.language !== "auto") codes.add(chosen.language);
  return [...codes]
    .map((code) => ({ code, name: languageName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
