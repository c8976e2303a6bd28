// Deletes the recordings that are older than some days, but for those that somebody has put work
// into, unless these are chosen, too.
import { useState } from "preact/hooks";
import { formatBytes, formatNumber, textsOf } from "../../i18n/i18n.ts";
import { storage as en } from "../../i18n/en/storage.ts";
import { storage as de } from "../../i18n/de/storage.ts";
import { deleteMany } from "../../state/delete_many.ts";
import type { Refused } from "../../state/many_jobs.ts";
import { notify } from "../../state/notices.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/dialog.tsx";
import { Progress } from "../../ui/progress.tsx";
import { RefusedList } from "../../ui/refused_list.tsx";
import { bytesOf, oldOnes, usual_choice, type OldChoice, type Stored } from "./inventory.ts";
import { loadStorage } from "./storage_state.ts";
import { nameOf } from "./stored_list.tsx";

const texts = textsOf({ en, de });

const most_named = 50;
const most_days = 36_500;

// What is being deleted now.
type Work = { ended: number; all: number; stop: () => void };

export function OldOnes({ all, isWhole }: { all: readonly Stored[]; isWhole: boolean }) {
  const [choice, setChoice] = useState<OldChoice>(usual_choice);
  const [work, setWork] = useState<Work | null>(null);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const found = oldOnes(all, choice, Date.now() / 1000);

  const run = async () => {
    if (!(await askFor(found, choice.days))) return;
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    const progress = (ended: number) => setWork({ ended, all: found.length, stop });
    progress(0);
    const jobs = found.map((one) => ({ id: one.id, name: nameOf(one) }));
    const outcome = await deleteMany(jobs, { signal: stopping.signal, progress });
    setWork(null);
    setRefused(outcome.refused);
    notify({ text: texts.deleted(outcome.done), bad: outcome.refused.length > 0 });
    void loadStorage();
  };

  return (
    <section>
      <h2>{texts.deleteOld}</h2>
      <form
        class="old-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (found.length > 0 && isWhole && !work) void run();
        }}
      >
        <Choices choice={choice} change={(changes) => setChoice({ ...choice, ...changes })} />
        <Found found={found} />
        {work ? (
          <Deleting work={work} />
        ) : (
          <p>
            <Button type="submit" kind="danger" icon="trash" disabled={found.length === 0 || !isWhole}>
              {texts.deleteMany(found.length)}
            </Button>
          </p>
        )}
      </form>
      <RefusedList title={texts.notDeleted(refused.length)} refused={refused} close={() => setRefused([])} />
    </section>
  );
}

type ChoicesProps = { choice: OldChoice; change: (changes: Partial<OldChoice>) => void };

function Choices({ choice, change }: ChoicesProps) {
  const kinds = ["pinned", "edited", "shared"] as const;
  return (
    <>
      <label class="row">
        {texts.olderThan}
        <input
          type="number"
          min={0}
          max={most_days}
          step={1}
          required
          value={choice.days}
          onInput={(event) => {
            const days = event.currentTarget.valueAsNumber;
            // While the field is empty the number before holds.
            if (Number.isInteger(days) && days >= 0 && days <= most_days) change({ days });
          }}
        />
        {texts.days}
      </label>
      <fieldset class="also">
        <legend>{texts.also}</legend>
        {kinds.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={choice[kind]}
              onChange={(event) => change({ [kind]: event.currentTarget.checked })}
            />
            {texts.alsoKinds[kind]}
          </label>
        ))}
      </fieldset>
    </>
  );
}

function Found({ found }: { found: readonly Stored[] }) {
  if (found.length === 0) return <p class="meta">{texts.noneOld}</p>;
  const more = found.length - most_named;
  return (
    <details>
      <summary>{texts.found(found.length, formatBytes(bytesOf(found)))}</summary>
      <ul class="found-old">
        {found.slice(0, most_named).map((one) => (
          <li key={one.id}>
            <bdi>{nameOf(one)}</bdi>
          </li>
        ))}
        {more > 0 && <li>{texts.andMore(more)}</li>}
      </ul>
    </details>
  );
}

function Deleting({ work }: { work: Work }) {
  const label = texts.deleting(formatNumber(work.ended), formatNumber(work.all));
  return (
    <div class="bar-row">
      <span class="time">{label}</span>
      <Progress share={work.ended / work.all} label={label} />
      <Button onClick={work.stop}>{texts.stop}</Button>
    </div>
  );
}

function askFor(found: readonly Stored[], days: number): Promise<boolean> {
  const marked = found.filter((one) => one.pinned || one.edited || one.shared).length;
  const text = [marked > 0 ? texts.withMarked(marked) : "", texts.deleteText].filter(Boolean).join(" ");
  return confirm({
    title: texts.deleteOldTitle(found.length, days),
    text,
    confirm: texts.deleteMany(found.length),
    danger: true,
  });
}
