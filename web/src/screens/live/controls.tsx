// The bar that stays in reach: start, pause, stop, the clock and the level.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatClock, formatSpan, textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { Button } from "../../ui/button.tsx";
import { showsBigText } from "./big_text.tsx";
import { LevelMeter } from "./level_meter.tsx";
import {
  goOn,
  isQuiet,
  isRunning,
  kept,
  lag_s,
  pause,
  phase,
  type Phase,
  retry,
  retryIn,
  seconds,
  start,
  stop,
} from "./recorder.ts";

const texts = textsOf({ en, de });

const long_lag_s = 5;

export function Controls() {
  const now = phase.value;
  const row = useRef<HTMLDivElement>(null);
  useFocusKept(row, now);
  return (
    <div class="live-bar">
      <div class="row" ref={row}>
        <MainButtons />
        {isRunning() && (
          <Button onClick={() => (showsBigText.value = true)}>{texts.bigText}</Button>
        )}
        {now !== "ready" && now !== "starting" && <Clock />}
        {now === "on" && <LevelMeter />}
      </div>
      <Remarks />
    </div>
  );
}

// The button that was pressed may be gone: the keyboard goes on at the one in its place.
function useFocusKept(row: RefObject<HTMLElement | null>, now: Phase): void {
  const before = useRef(now);
  useEffect(() => {
    const hasChanged = before.current !== now;
    before.current = now;
    if (hasChanged && document.activeElement === document.body) row.current?.querySelector("button")?.focus();
  }, [now]);
}

export function MainButtons() {
  switch (phase.value) {
    case "ready":
    case "ended":
      return (
        <Button kind="main" icon="microphone" onClick={() => void start()}>
          {phase.value === "ready" ? texts.start : texts.startAgain}
        </Button>
      );
    case "starting":
      return <span class="meta">{texts.starting}</span>;
    case "stopping":
      return <span class="meta">{texts.stopping}</span>;
    case "on":
    case "paused":
      return (
        <>
          {phase.value === "on" ? (
            <Button icon="pause" onClick={pause}>{texts.pause}</Button>
          ) : (
            <Button kind="main" icon="microphone" onClick={() => void goOn()}>{texts.goOn}</Button>
          )}
          <Button icon="stop" onClick={stop}>{texts.stop}</Button>
        </>
      );
  }
}

export function Clock() {
  const now = phase.value;
  const words = { on: texts.recording, paused: texts.paused, ended: texts.ended };
  return (
    <span class="live-clock">
      <span class="live-dot" data-on={now === "on"} aria-hidden="true" />
      {now in words && <span>{words[now as keyof typeof words]}</span>}
      <span class="time">{formatClock(seconds.value)}</span>
    </span>
  );
}

// What one ought to know at the moment, a line each.
function Remarks() {
  const lag = lag_s.value;
  return (
    <>
      {retryIn.value !== null && (
        <p class="bad" role="alert">
          <strong>{texts.lineDown}</strong> {texts.lineDownText(formatSpan(retryIn.value))}{" "}
          <Button onClick={retry}>{texts.tryNow}</Button>
        </p>
      )}
      {isQuiet.value && <p class="bad">{texts.quiet}</p>}
      {lag > long_lag_s && isRunning() && <p class="meta">{texts.lag(formatSpan(lag))}</p>}
      {isRunning() && kept.value.length > 0 && <p class="meta">{texts.isKept}</p>}
    </>
  );
}
