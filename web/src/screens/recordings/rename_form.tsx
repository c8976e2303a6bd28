import { useLayoutEffect, useRef } from "preact/hooks";

import type { Job } from "../../events/types.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { changeJob } from "./job_actions.ts";
import { titleOf } from "./job_words.ts";

const texts = textsOf({ en, de });

// Enter and a click elsewhere keep the new name, Escape keeps the old one.
export function RenameForm({ job, close }: { job: Job; close: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  // Before anything else happens, so that what is typed at once is not lost.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const end = (keeps: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const title = field.current?.value.trim() ?? "";
    if (keeps && title !== titleOf(job)) void changeJob(job, { title });
    close();
  };
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        end(true);
      }}
    >
      <input
        ref={field}
        aria-label={texts.newName(titleOf(job))}
        defaultValue={titleOf(job)}
        maxLength={200}
        dir="auto"
        onBlur={() => end(true)}
        onKeyDown={(event) => {
          if (event.key === "Escape") end(false);
        }}
      />
      <Button type="submit">{texts.saveName}</Button>
    </form>
  );
}
