// Steps through the words that the model was unsure of.
import { useEffect } from "preact/hooks";
import { formatPercent } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { unsureBelow } from "../choices.ts";
import type { Desk } from "../desk.ts";
import { timeOf } from "../text/words.ts";
import { texts } from "../texts.ts";
import { bringIntoView, isInView, rowOf } from "./places.ts";

export function UnsurePanel({ desk }: { desk: Desk }) {
  const { unsure } = desk;
  useEffect(() => {
    unsure.on.value = true;
    return () => {
      unsure.on.value = false;
    };
  }, []);
  const count = unsure.found.value.length;
  const at = unsure.number.value;
  return (
    <section class="panel unsure" aria-label={texts.unsureTitle}>
      <div class="find-line">
        <strong>{texts.unsureTitle}</strong>
        <span class="meta" aria-live="polite">
          {at < 0 ? texts.unsureCount(count) : texts.matchOf(at + 1, count)}
        </span>
        <label class="meta unsure-choice">
          {texts.unsureBelow}
          <select
            value={unsureBelow.value}
            onChange={(event) => (unsureBelow.value = event.currentTarget.value as never)}
          >
            {["0.3", "0.5", "0.7"].map((value) => (
              <option key={value} value={value}>
                {formatPercent(Number(value))}
              </option>
            ))}
          </select>
        </label>
        <Button icon="up" label={texts.previousUnsure} onClick={() => stepUnsure(desk, -1)} />
        <Button icon="down" label={texts.nextUnsure} onClick={() => stepUnsure(desk, 1)} />
        <Button
          icon="close"
          class="find-close"
          label={texts.closeUnsure}
          onClick={() => (desk.panel.value = null)}
        />
      </div>
    </section>
  );
}

// Opens the panel where it is not open yet.
export function stepUnsure(desk: Desk, by: 1 | -1): void {
  desk.panel.value = "unsure";
  desk.unsure.on.value = true;
  const unsure = desk.unsure.step(by);
  const segment = unsure && desk.reader.editor.text.peek()[unsure.index];
  if (!segment) return;
  desk.goTo(timeOf(segment, unsure.word));
  const row = rowOf(segment.key);
  if (row && !isInView(row)) bringIntoView(segment.key);
}
