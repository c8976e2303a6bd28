import { useEffect, useState } from "preact/hooks";
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { choices } from "./choices.ts";
import { captions } from "./recorder.ts";
import { SaidAloud } from "./said_aloud.ts";

const texts = textsOf({ en, de });

const look_ms = 250;
const kept_lines = 3; // what was said aloud is not needed any more

// For screen readers, which say what is added here.
export function SaidAloudView() {
  const [lines, setLines] = useState<readonly { id: number; text: string }[]>([]);
  useEffect(() => {
    const said = new SaidAloud();
    let id = 0;
    const timer = setInterval(() => {
      const text = said.next(captions.peek(), performance.now());
      if (text !== null) setLines((before) => [...before, { id: ++id, text }].slice(-kept_lines));
    }, look_ms);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="unseen" role="log" aria-label={texts.spoken} lang={choices.language.value || undefined}>
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
