// Why there is no microphone, and what to do about it.
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { Button } from "../../ui/button.tsx";
import type { NoMicrophone } from "./microphone.ts";
import { goOn, phase, start } from "./recorder.ts";

const texts = textsOf({ en, de });

const fixes = {
  refused: texts.refusedFix,
  none: texts.noneFix,
  busy: texts.busyFix,
  unplugged: texts.unpluggedFix,
  unknown: texts.unknownFix,
};

// The address of this page on the machine that it comes from.
function localAddress(): string {
  return `http://localhost${location.port === "" ? "" : `:${location.port}`}`;
}

export function NoMicrophoneText({ why }: { why: NoMicrophone | null }) {
  if (why === null) return null;
  const again = () => void (phase.peek() === "paused" ? goOn() : start());
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{texts[why]}</strong>{" "}
        {why === "insecure" ? texts.insecureFix(localAddress()) : fixes[why]}
      </p>
      {why !== "insecure" && why !== "unplugged" && (
        <p>
          <Button onClick={again}>{texts.tryAgain}</Button>
        </p>
      )}
    </div>
  );
}
