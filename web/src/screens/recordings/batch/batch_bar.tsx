// The bar above the list while recordings are selected.

import { useState } from "preact/hooks";

import { jobStore } from "../../../events/events.ts";
import { batch as de } from "../../../i18n/de/batch.ts";
import { batch as en } from "../../../i18n/en/batch.ts";
import { formatNumber, textsOf } from "../../../i18n/i18n.ts";
import { useKeys } from "../../../state/keys.ts";
import type { Outcome, Refused, Watch } from "../../../state/many_jobs.ts";
import { notify } from "../../../state/notices.ts";
import { selection } from "../../../state/selection.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/dialog.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { RefusedList } from "../../../ui/refused_list.tsx";
import { chosenOf, deleteChosen, repeatChosen, saveChosen, type Chosen } from "./batch_actions.ts";

const texts = textsOf({ en, de });

const formats = ["txt", "srt", "vtt", "docx", "json"] as const;

// What is done with them now.
type Work = { ended: number; all: number; stop: () => void };
type Problem = { title: string; refused: readonly Refused[] };

// How it is told what has become of them.
type Words = { done: (n: number) => string; refused: (n: number) => string };

export function BatchBar({ shownIds }: { shownIds: () => string[] }) {
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { size } = selection.ids.value;

  const run = async (act: (chosen: Chosen[], watch: Watch) => Promise<Outcome>, words: Words) => {
    const chosen = inOrder(shownIds());
    const stopping = new AbortController();
    const progress = (ended: number) => setWork({ ended, all: chosen.length, stop: () => stopping.abort() });
    progress(0);
    setProblem(null);
    const { done, refused } = await act(chosen, { signal: stopping.signal, progress });
    setWork(null);
    if (refused.length > 0) setProblem({ title: words.refused(refused.length), refused });
    if (done > 0 || refused.length === 0) notify({ text: words.done(done), bad: refused.length > 0 });
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(".job-title")?.focus();
  };

  return (
    <>
      {problem && <RefusedList {...problem} close={() => setProblem(null)} />}
      {size > 0 && (
        <section class="batch" aria-label={texts.title}>
          <p role="status">{texts.selected(size)}</p>
          {work ? <Working work={work} /> : <Actions run={run} shownIds={shownIds} />}
        </section>
      )}
    </>
  );
}

type ActionsProps = {
  run: (act: (chosen: Chosen[], watch: Watch) => Promise<Outcome>, words: Words) => Promise<void>;
  shownIds: () => string[];
};

function Actions({ run, shownIds }: ActionsProps) {
  const all = () => selection.all(shownIds());
  const clear = () => selection.clear();
  useKeys([
    { keys: ["Ctrl+A"], label: texts.selectAll, run: all },
    { keys: ["Escape"], label: texts.clear, run: clear },
  ]);
  const askAndDelete = async () => {
    if (await askFor(inOrder(shownIds()))) {
      await run(deleteChosen, { done: texts.deleted, refused: texts.notDeleted });
    }
  };
  return (
    <>
      <Button icon="close" label={texts.clear} onClick={clear} />
      <Menu
        class="first-action"
        icon="download"
        label={texts.download}
        items={formats.map((format) => ({
          label: texts.formats[format],
          run: () =>
            void run((chosen, watch) => saveChosen(chosen, format, watch), {
              done: texts.saved,
              refused: texts.notSaved,
            }),
        }))}
      >
        {texts.download}
      </Menu>
      <Button icon="undo" onClick={() => void run(repeatChosen, { done: texts.repeated, refused: texts.notRepeated })}>
        {repeatLabel()}
      </Button>
      <Button icon="trash" kind="danger" onClick={() => void askAndDelete()}>
        {texts.delete}
      </Button>
      <Button onClick={all}>{texts.selectAll}</Button>
    </>
  );
}

function Working({ work }: { work: Work }) {
  const label = texts.working(formatNumber(work.ended), formatNumber(work.all));
  return (
    <div class="bar-row">
      <span class="time">{label}</span>
      <Progress share={work.all > 0 ? work.ended / work.all : null} label={label} />
      <Button onClick={work.stop}>{texts.stop}</Button>
    </div>
  );
}

// As they are shown; what is selected and no longer shown comes last.
function inOrder(shown: readonly string[]): Chosen[] {
  const ids = selection.ids.peek();
  return chosenOf(new Set([...shown.filter((id) => ids.has(id)), ...ids]));
}

function repeatLabel(): string {
  const states = [...selection.ids.value].map((id) => jobStore.job(id)?.value.status);
  return states.every((state) => state === "failed" || state === "cancelled") ? texts.tryAgain : texts.again;
}

function askFor(chosen: readonly Chosen[]): Promise<boolean> {
  const open = chosen.filter(({ job }) => job.status === "queued" || job.status === "running").length;
  return confirm({
    title: texts.deleteTitle(chosen.length),
    text: [open > 0 ? texts.withOpen(open) : "", texts.deleteText].filter(Boolean).join(" "),
    confirm: texts.delete,
    danger: true,
  });
}
