import { useRef } from "preact/hooks";

import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { hrefOf } from "../../router.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { dragging, takeFiles } from "./drops.ts";
import { isHousekeeping } from "./judge.ts";
import { OptionsLine } from "./options_line.tsx";

const texts = textsOf({ en, de });

export function DropZone() {
  return (
    <section class="drop-zone" data-over={dragging.value}>
      <div class="drop-row">
        <p class="drop-words">{dragging.value ? texts.dropNow : texts.drop}</p>
        <FileButton kind="main" label={texts.chooseFiles} />
        <FileButton folder label={texts.chooseFolder} />
        <ButtonLink icon="microphone" href={hrefOf({ screen: "live" })}>
          {texts.record}
        </ButtonLink>
      </div>
      <OptionsLine />
    </section>
  );
}

type FileButtonProps = {
  label: string;
  kind?: "main";
  folder?: boolean;
};

// The browser's own field for files cannot be styled, so a button presses it.
export function FileButton({ label, kind, folder = false }: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const take = () => {
    const files = [...(field.current?.files ?? [])];
    if (field.current) field.current.value = "";
    if (files.length > 0) void takeFiles(files.filter(({ name }) => !folder || !isHousekeeping(name)));
  };
  return (
    <>
      <Button
        {...(kind ? { kind } : {})}
        {...(folder ? { class: "for-folders" } : {})}
        onClick={() => field.current?.click()}
      >
        {label}
      </Button>
      <input ref={field} type="file" hidden multiple {...{ webkitdirectory: folder }} onChange={take} />
    </>
  );
}
