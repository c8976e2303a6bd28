// Words while people speak.
import { hrefOf } from "../../router.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { useKeys, type KeyBinding } from "../../state/keys.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy_button.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { useTitle } from "../../ui/title.ts";
import { Presentation, showsBigText } from "./big_text.tsx";
import { plainText } from "./captions.ts";
import { CaptionsView } from "./captions_view.tsx";
import { choices } from "./choices.ts";
import { Controls } from "./controls.tsx";
import { NoMicrophoneText } from "./no_microphone.tsx";
import { Options } from "./options.tsx";
import {
  captions,
  goOn,
  isRunning,
  kept,
  noMicrophone,
  pause,
  phase,
  refusal,
  start,
  trouble,
} from "./recorder.ts";
import { SaidAloudView } from "./said_aloud_view.tsx";

const texts = textsOf({ en, de });

export function Live() {
  useTitle(texts.title);
  useKeys(keysOf());
  const now = phase.value;
  const hasBegun = now !== "ready" && now !== "starting";
  return (
    <div class="live">
      <h1>{texts.title}</h1>
      {now === "ready" && <p class="meta">{texts.intro}</p>}
      <Controls />
      <NoMicrophoneText why={noMicrophone.value} />
      {refusal.value !== null && (
        <FailureText failure={refusal.value}>
          <Button onClick={() => void start()}>{texts.tryAgain}</Button>
        </FailureText>
      )}
      {trouble.value !== null && <p class="bad">{trouble.value}</p>}
      {!hasBegun && <Options />}
      {now === "ended" && <Outcome />}
      {hasBegun && <CaptionsView />}
      {now === "ended" && <Options />}
      <SaidAloudView />
      {showsBigText.value && <Presentation />}
    </div>
  );
}

function keysOf(): KeyBinding[] {
  if (!isRunning()) return [];
  return [
    {
      keys: ["Space"],
      label: phase.value === "on" ? texts.pause : texts.goOn,
      run: () => (phase.peek() === "on" ? pause() : void goOn()),
    },
    { keys: ["B"], label: texts.bigText, run: () => (showsBigText.value = true) },
  ];
}

// What a session leaves behind.
function Outcome() {
  const jobs = kept.value;
  const text = plainText(captions.value);
  return (
    <p class="row">
      {jobs.map((id, place) => (
        <ButtonLink key={id} kind={place === 0 ? "main" : "plain"} href={hrefOf({ screen: "reader", id })}>
          {jobs.length === 1 ? texts.openRecording : texts.openPart(place + 1)}
        </ButtonLink>
      ))}
      {text !== "" && <CopyButton text={text} what={texts.whatWasSaid} />}
      {jobs.length === 0 && choices.keep.value === "off" && <span class="meta">{texts.keepOff}</span>}
    </p>
  );
}
