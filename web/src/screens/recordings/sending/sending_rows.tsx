// The files that are on their way to the daemon.

import type { ReadonlySignal } from "@preact/signals";

import { secondsLeft } from "../../../events/pace.ts";
import { sending as de } from "../../../i18n/de/sending.ts";
import { sending as en } from "../../../i18n/en/sending.ts";
import { formatBytes, formatPercent, formatSpan, textsOf } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { FailureText } from "../../../ui/failure.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { FileButton } from "../../../ui/file_button.tsx";
import { leftWords } from "../../../ui/span_words.ts";
import { sentElsewhere } from "./page_sender.ts";
import type { Sending } from "./send_state.ts";
import type { Sender } from "./sender.ts";

const texts = textsOf({ en, de });

type SenderProps = { sender: Sender; choose: (files: File[]) => void };

export function SendingRows({ sender, choose }: SenderProps) {
  const all = sender.sendings.value;
  return (
    <>
      <FilesWanted sender={sender} choose={choose} />
      {sentElsewhere.value > 0 && <p class="meta">{texts.elsewhere(sentElsewhere.value)}</p>}
      {all.length > 0 && (
        <section>
          <h2 class="group">{texts.sending}</h2>
          <ul class="jobs">
            {all.map((one) => (
              <Row key={one.peek().key} sender={sender} sending={one} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

// After a reload: one choice of all files at once brings them all back.
function FilesWanted({ sender, choose }: SenderProps) {
  const wanted = sender.sendings.value.filter((one) => one.value.state.kind === "file_wanted");
  if (wanted.length === 0) return null;
  const forget = () => {
    for (const one of wanted) sender.drop(one.peek().key);
  };
  return (
    <section class="wanting">
      <p>
        <strong>{texts.filesWanted(wanted.length)}</strong> {texts.filesWantedText}
      </p>
      <p class="row">
        <FileButton kind="main" label={texts.chooseAgain} onFiles={choose} />
        <Button onClick={forget}>{texts.forgetThem}</Button>
      </p>
    </section>
  );
}

type RowProps = { sender: Sender; sending: ReadonlySignal<Sending> };

function Row({ sender, sending }: RowProps) {
  const one = sending.value;
  const { state } = one;
  const share = one.size > 0 ? one.sent / one.size : 0;
  const isOnItsWay = state.kind === "sending" || state.kind === "broken";
  return (
    <li class="job" data-state={state.kind}>
      <div class="job-main">
        <bdi class="job-title">{one.name}</bdi>
        {state.kind === "refused" ? (
          <FailureText failure={state.error} />
        ) : (
          <p class={isProblem(one) ? "bad" : "meta"}>{stateWords(one)}</p>
        )}
        {isOnItsWay && <Progress share={share} label={texts.progressOf(one.name)} />}
      </div>
      <div class="job-actions">
        <Actions sender={sender} sending={one} />
      </div>
    </li>
  );
}

function Actions({ sender, sending }: { sender: Sender; sending: Sending }) {
  const { key, name, state } = sending;
  const drop = () => sender.drop(key);
  const named = (label: string) => ({ "aria-label": `${label}: ${name}` });
  if (isProblem({ state })) {
    return <Button {...named(texts.remove)} onClick={drop}>{texts.remove}</Button>;
  }
  if (state.kind === "refused") {
    return (
      <>
        <Button {...named(texts.tryAgain)} onClick={() => sender.retry(key)}>{texts.tryAgain}</Button>
        <Button {...named(texts.remove)} onClick={drop}>{texts.remove}</Button>
      </>
    );
  }
  if (state.kind === "submitting") return null;
  return <Button {...named(texts.stop)} onClick={drop}>{texts.stop}</Button>;
}

// What no second try mends.
function isProblem({ state }: Pick<Sending, "state">): boolean {
  return state.kind === "too_large" || state.kind === "too_long" || state.kind === "silent";
}

function stateWords({ state, sent, size }: Sending): string {
  const percent = formatPercent(size > 0 ? sent / size : 0);
  switch (state.kind) {
    case "checking":
      return texts.checking;
    case "waiting":
      return texts.toSend(formatBytes(size));
    case "sending": {
      const left = secondsLeft(sent, size, state.perSecond);
      const words = texts.sent(percent, formatBytes(size));
      return left === null ? words : `${words}, ${leftWords(left)}`;
    }
    case "broken":
      return state.why ?? texts.lineBroken;
    case "submitting":
      return texts.submitting;
    case "needs_model":
      return state.model ? texts.needsModel(state.model) : texts.needsSomeModel;
    case "file_wanted":
      return sent > 0 ? texts.fileWanted(percent) : texts.fileWantedNew;
    case "too_large":
      return texts.tooLarge(formatBytes(size), formatBytes(state.limit));
    case "too_long":
      return texts.tooLong(formatSpan(state.seconds), formatSpan(state.limit));
    case "silent":
      return texts.silent;
    case "refused":
      return state.error.message;
  }
}
