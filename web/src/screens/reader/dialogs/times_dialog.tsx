// When a segment begins and ends.
import { useState } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { exactClock, parseClock } from "../text/clock.ts";
import { indexOfKey } from "../text/segment.ts";
import { texts } from "./texts.ts";

export function TimesDialog({ desk, segment: key }: { desk: Desk; segment: string }) {
  const { editor, player } = desk.reader;
  const text = editor.text.value;
  const index = indexOfKey(text, key);
  const segment = text[index];
  const [start, setStart] = useState(exactClock(segment?.start ?? 0));
  const [end, setEnd] = useState(exactClock(segment?.end ?? 0));
  if (!segment) return null;

  const [from, to] = [parseClock(start), parseClock(end)];
  const problem =
    problemOf(from, to, text[index - 1]?.start ?? 0, text[index + 1]?.start ?? Infinity) ??
    ((to ?? 0) > Math.max(player.duration.peek(), segment.end) ? texts.endsOutside : null);
  const submit = (event: Event) => {
    event.preventDefault();
    if (problem || from === null || to === null) return;
    desk.do({ op: "times", segment: key, start: from, end: to });
    desk.show(null);
  };
  const field = (label: string, value: string, set: (value: string) => void) => (
    <div class="time-field">
      <label class="wide-field">
        {label}
        <input type="text" inputMode="decimal" value={value} onInput={(event) => set(event.currentTarget.value)} />
      </label>
      <Button onClick={() => set(moved(value, -0.1))} aria-label={`${label}: ${texts.earlier}`}>
        −0.1
      </Button>
      <Button onClick={() => set(moved(value, 0.1))} aria-label={`${label}: ${texts.later}`}>
        +0.1
      </Button>
      <Button onClick={() => set(exactClock(player.time.peek()))}>{texts.fromPlayer}</Button>
    </div>
  );
  return (
    <Dialog title={texts.changeTimes} onClose={() => desk.show(null)}>
      <form class="dialog-form" onSubmit={submit}>
        {field(texts.begins, start, setStart)}
        {field(texts.ends, end, setEnd)}
        <p class="meta" role="status">
          {problem ?? texts.timesHint}
        </p>
        <div class="row">
          <Button kind="main" type="submit" disabled={problem !== null}>
            {texts.change}
          </Button>
          <Button onClick={() => from !== null && player.playFrom(from)}>{texts.listen}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function moved(value: string, by: number): string {
  const seconds = parseClock(value);
  return seconds === null ? value : exactClock(seconds + by);
}

function problemOf(from: number | null, to: number | null, before: number, behind: number): string | null {
  if (from === null || to === null) return texts.noTime;
  if (to <= from) return texts.endsBefore;
  return from < before || from > behind ? texts.outOfOrder : null;
}
