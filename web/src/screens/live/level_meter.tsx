import { useEffect, useRef } from "preact/hooks";
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { levelShown } from "./recorder.ts";
import { barOf } from "./bar.ts";

const texts = textsOf({ en, de });

// Moves with the sound, 25 times a second, and so is written past the components. How loud it is at
// the moment is nothing to be read aloud.
export function LevelMeter() {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    levelShown.current = (level) => {
      if (bar.current) bar.current.style.transform = `scaleX(${barOf(level)})`;
    };
    return () => {
      levelShown.current = () => undefined;
    };
  }, []);
  return (
    <span class="level" title={texts.level} aria-hidden="true">
      <span ref={bar} />
    </span>
  );
}
