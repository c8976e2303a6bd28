// The words. The newest ones stay in sight unless somebody has scrolled up to read.
import { useEffect, useRef, useState } from "preact/hooks";
import { formatSpan, textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { Button } from "../../ui/button.tsx";
import type { Captions, Gap, Turn } from "./captions.ts";
import { choices } from "./choices.ts";
import { captions, isRunning } from "./recorder.ts";

const texts = textsOf({ en, de });

const near_end = 48; // pixels

export function CaptionsView() {
  const shown = captions.value;
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useEffect(() => {
    if (follows) toEnd();
  });
  return (
    <section class="captions" aria-label={texts.captions}>
      <div
        class="captions-text"
        ref={box}
        tabIndex={0}
        lang={choices.language.value || undefined}
        onScroll={({ currentTarget: at }) =>
          setFollows(at.scrollHeight - at.scrollTop - at.clientHeight < near_end)
        }
      >
        {shown.entries.length === 0 && isRunning() && <p class="meta">{texts.listening}</p>}
        {shown.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} tail={tailOf(shown, entry)} />
        ))}
      </div>
      {!follows && (
        <Button
          class="to-newest"
          onClick={() => {
            setFollows(true);
            toEnd();
          }}
        >
          {texts.toNewest}
        </Button>
      )}
    </section>
  );
}

export function tailOf({ tail }: Captions, entry: Turn | Gap): string {
  return tail !== null && tail.id === entry.id ? tail.text : "";
}

export function Entry({ entry, tail }: { entry: Turn | Gap; tail: string }) {
  if (entry.kind === "gap") {
    return <p class="gap">{entry.reason === "lost" ? texts.lost(formatSpan(entry.seconds)) : texts.failed}</p>;
  }
  return (
    <p dir="auto">
      {entry.speaker !== null && <strong class="speaker">{texts.speaker(entry.speaker)} </strong>}
      {entry.text}
      {tail !== "" && (
        <span class="tail" aria-hidden="true">{entry.text === "" ? tail.trimStart() : tail}</span>
      )}
    </p>
  );
}
