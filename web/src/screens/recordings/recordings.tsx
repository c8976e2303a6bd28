// The home screen: what is sent, what is in work, and what was done before.

import { useEffect, useLayoutEffect } from "preact/hooks";

import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { reconnections } from "../../state/connection.ts";
import { useTitle } from "../../ui/title.ts";
import { Addresses } from "./addresses.tsx";
import { Batch } from "./batch.tsx";
import { sending } from "./door.ts";
import { address_button, DropZone } from "./drop_zone.tsx";
import { linkIdOf } from "./job_row.tsx";
import { List } from "./list.tsx";
import { ModelNotices } from "./model_notices.tsx";
import { SearchBar } from "./search_bar.tsx";
import { loadOptions } from "../../state/server_facts.ts";

const texts = textsOf({ en, de });

// The recording that was opened last. Who comes back begins there.
const opened: { id: string | null } = { id: null };

export function Recordings() {
  const rounds = reconnections.value;
  useTitle("");
  useEffect(() => void loadOptions(), [rounds]);
  useLayoutEffect(() => {
    const { id } = opened;
    opened.id = null;
    // The shell, whose effects come after this one, gives the focus to the screen as a whole.
    if (id) queueMicrotask(() => document.getElementById(linkIdOf(id))?.focus());
  }, []);
  return (
    <div class="recordings" onClick={(event) => noteOpened(event.target)}>
      <h1 class="unseen">{texts.title}</h1>
      <DropZone />
      <Addresses closed={() => document.getElementById(address_button)?.focus()} />
      <ModelNotices />
      {sending.value && <sending.value.Rows />}
      <SearchBar />
      <Batch />
      <List />
    </div>
  );
}

function noteOpened(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest("li.job")?.querySelector(".job-title") : null;
  if (link instanceof HTMLElement && link.id) opened.id = link.id.replace(/^job-/, "");
}
