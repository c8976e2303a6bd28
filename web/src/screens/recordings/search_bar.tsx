// Search, and what the list shows.

import { useEffect, useRef } from "preact/hooks";

import { jobStore } from "../../events/events.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { languageName, textsOf } from "../../i18n/i18n.ts";
import { useKeys } from "../../state/keys.ts";
import type { Show } from "./job_list.ts";
import { Choice } from "./options_line.tsx";
import { goToQuery, jobList } from "./page_list.ts";

const texts = textsOf({ en, de });

// Long enough that a word is typed whole, short enough that nobody waits.
const typing_ms = 250;

export function SearchBar() {
  return (
    <search class="search-bar">
      <SearchField />
      <ShowChoice />
      <MoreFilters />
    </search>
  );
}

function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { q } = jobList.query.value;
  const goThere = () => {
    field.current?.focus();
    field.current?.select();
  };
  useKeys([{ keys: ["/"], label: texts.search, run: goThere }]);
  useEffect(() => {
    // The address has changed by other means, as a step back.
    const isTyped = document.activeElement === field.current;
    if (field.current && !isTyped) field.current.value = q;
  }, [q]);

  const search = () => goToQuery({ q: field.current?.value.trim() ?? "" });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        defaultValue={q}
        maxLength={200}
        dir="auto"
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(search, typing_ms);
        }}
      />
    </form>
  );
}

function ShowChoice() {
  const { show } = jobList.query.value;
  return (
    <fieldset class="segments">
      <legend class="unseen">{texts.show}</legend>
      {(Object.entries(texts.shows) as [Show, string][]).map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="show"
            value={value}
            checked={show === value}
            onChange={() => goToQuery({ show: value })}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

// Offered where there is something to choose between.
function MoreFilters() {
  const { language, model } = jobList.query.value;
  // Read so that this is drawn anew when the list has changed.
  void jobList.ids.value;
  const jobs = jobStore.known();
  const languages = distinct([language, ...jobs.map((job) => job.language ?? "")]);
  const models = distinct([model, ...jobs.map((job) => job.model)]);
  return (
    <>
      {languages.length > 1 && (
        <Choice label={texts.language} value={language} choose={(one) => goToQuery({ language: one })}>
          <option value="">{texts.everyLanguage}</option>
          {languages.map((code) => (
            <option key={code} value={code}>{languageName(code)}</option>
          ))}
        </Choice>
      )}
      {models.length > 1 && (
        <Choice label={texts.model} value={model} choose={(one) => goToQuery({ model: one })}>
          <option value="">{texts.everyModel}</option>
          {models.map((name) => (
            <option key={name} value={name}>{name}</option>
          ))}
        </Choice>
      )}
    </>
  );
}

function distinct(values: string[]): string[] {
  return [...new Set(values.filter(Boolean))].sort();
}
