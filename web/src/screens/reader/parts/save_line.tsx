// Whether what was written is saved, and what to do where it is not.
import { useState } from "preact/hooks";
import { notify } from "../../../state/notices.ts";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { sentenceOf } from "../../../ui/failure.tsx";
import type { Desk } from "../desk.ts";
import { texts } from "../texts.ts";

// The short word in the bar. Screen readers hear of trouble by the notice below alone: a word after
// each pause would disturb whoever writes.
export function SaveWord({ desk }: { desk: Desk }) {
  const state = desk.reader.saver.state.value;
  if (!desk.reader.canEdit.value) return null;
  const words = {
    saved: texts.saved,
    saving: texts.saving,
    unsaved: texts.notSaved,
    refused: texts.notSaved,
    conflict: texts.notSaved,
  };
  return <span class={`save-word ${state.is}`}>{words[state.is]}</span>;
}

export function SaveTrouble({ desk }: { desk: Desk }) {
  const [lost, setLost] = useState<string[]>([]);
  const { saver, keeper } = desk.reader;
  const state = saver.state.value;
  const kept = keeper.kept.value ? texts.keptHere : texts.notKept;

  const decide = async (mine: boolean) => setLost(await desk.reader.resolve(mine));

  if (state.is === "conflict") {
    return (
      <div class="trouble" role="alert">
        <p>
          <strong>{texts.changedElsewhere}</strong> {kept}
        </p>
        <div class="row">
          <Button onClick={() => void decide(false)}>{texts.showTheirs}</Button>
          <Button kind="main" onClick={() => void decide(true)}>
            {texts.putMine}
          </Button>
        </div>
      </div>
    );
  }
  if (state.is === "unsaved" || state.is === "refused") {
    return (
      <div class="trouble" role="alert">
        <p>
          <strong>{texts.notSavedBecause}</strong> {sentenceOf(state.failure)} {kept}
        </p>
        <div class="row">
          <Button kind="main" onClick={() => tryAgain(desk, state.is)}>
            {texts.tryAgain}
          </Button>
          {state.is === "refused" && (
            <Button onClick={() => void decide(false)}>{texts.giveUp}</Button>
          )}
        </div>
      </div>
    );
  }
  if (lost.length === 0) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{texts.noPlace}</strong>
      </p>
      <blockquote>{lost.join("\n")}</blockquote>
      <div class="row">
        <Button icon="copy" onClick={() => void copyLost(lost)}>
          {texts.copyText}
        </Button>
        <Button onClick={() => setLost([])}>{texts.done}</Button>
      </div>
    </div>
  );
}

function tryAgain(desk: Desk, is: "unsaved" | "refused"): void {
  if (is === "refused") desk.reader.saver.goOn();
  else desk.reader.saver.saveNow();
}

async function copyLost(lost: readonly string[]): Promise<void> {
  notify((await copyText(lost.join("\n"))) ? texts.copied : { text: texts.notCopied, bad: true });
}
