// What of many things failed, by name and reason.
import type { Refused } from "../state/many_jobs.ts";
import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { Button } from "./button.tsx";
import { sentenceOf } from "./failure.tsx";

const texts = textsOf({ en, de });

const most_shown = 10;

type RefusedProps = { title: string; refused: readonly Refused[]; close: () => void };

export function RefusedList({ title, refused, close }: RefusedProps) {
  if (refused.length === 0) return null;
  return (
    <div class="failure refused" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <ul>
        {refused.slice(0, most_shown).map(({ name, failure }, place) => (
          <li key={place}>
            <bdi>{name}</bdi>: {sentenceOf(failure)} {failure.fix}
          </li>
        ))}
        {refused.length > most_shown && <li>{texts.andMore(refused.length - most_shown)}</li>}
      </ul>
      <p>
        <Button onClick={close}>{texts.close}</Button>
      </p>
    </div>
  );
}
