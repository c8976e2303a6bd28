import { useState } from "preact/hooks";
import type { Job } from "../../../events/types.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { titleOf } from "../title_of.ts";
import { texts } from "./texts.ts";

export function RenameDialog({ desk, job }: { desk: Desk; job: Job }) {
  const [title, setTitle] = useState(titleOf(job));
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await desk.rename(title)) desk.show(null);
  };
  return (
    <Dialog title={texts.rename} onClose={() => desk.show(null)}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <label class="wide-field">
          {texts.title}
          <input
            type="text"
            dir="auto"
            maxLength={255}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <p class="meta">{texts.renameHint}</p>
        <Button kind="main" type="submit">
          {texts.renameDo}
        </Button>
      </form>
    </Dialog>
  );
}
