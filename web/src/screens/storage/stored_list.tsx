import { formatBytes, formatMoment, textsOf } from "../../i18n/i18n.ts";
import { storage as en } from "../../i18n/en/storage.ts";
import { storage as de } from "../../i18n/de/storage.ts";
import { hrefOf } from "../../router.ts";
import { deleteMany } from "../../state/delete_many.ts";
import { notify } from "../../state/notices.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/dialog.tsx";
import { sentenceOf } from "../../ui/failure.tsx";
import type { Stored } from "./inventory.ts";

const texts = textsOf({ en, de });

export const nameOf = (one: Stored) => one.name || texts.untitled;

export function StoredList({ title, jobs }: { title: string; jobs: readonly Stored[] }) {
  if (jobs.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="stored">
        {jobs.map((one) => (
          <li key={one.id} class="stored-job">
            <div>
              <a href={hrefOf({ screen: "reader", id: one.id })}>
                <bdi>{nameOf(one)}</bdi>
              </a>
              <p class="meta">{storedWords(one)}</p>
            </div>
            <Button icon="trash" label={texts.deleteOne(nameOf(one))} onClick={() => void askAndDelete(one)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

// "1.2 GB · 3 Nov 2026, 14:05 · pinned"
function storedWords(one: Stored): string {
  return [
    one.bytes > 0 ? formatBytes(one.bytes) : texts.noAudio,
    formatMoment(one.at),
    one.pinned ? texts.isPinned : "",
    one.edited ? texts.isEdited : "",
    one.shared ? texts.isShared : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

async function askAndDelete(one: Stored): Promise<void> {
  const name = nameOf(one);
  const question = { title: texts.deleteTitle(name), text: texts.deleteText, confirm: texts.delete, danger: true };
  if (!(await confirm(question))) return;
  const watch = { signal: new AbortController().signal, progress: () => {} };
  const { refused } = await deleteMany([{ id: one.id, name }], watch);
  if (refused[0]) notify({ text: sentenceOf(refused[0].failure), bad: true });
  else notify(texts.deleted(1));
}
