// Find and replace over the whole text.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Signal } from "@preact/signals";
import { Button } from "../../../ui/button.tsx";
import type { Desk } from "../desk.ts";
import type { Found } from "../text/find.ts";
import { timeOf, wordAtOffset } from "../text/words.ts";
import { texts } from "../texts.ts";
import { bringIntoView, isInView, rowOf } from "./places.ts";

export function FindPanel({ desk }: { desk: Desk }) {
  const { find, reader } = desk;
  const field = useRef<HTMLInputElement>(null);
  const canEdit = reader.canEdit.value;

  // The first letter that is typed after Ctrl+F belongs to the field.
  useLayoutEffect(() => {
    find.open.value = true;
    field.current?.focus();
    field.current?.select();
    return () => {
      find.open.value = false;
    };
  }, []);

  const step = (by: 1 | -1) => goTo(desk, find.step(by, reader.current.peek()?.key ?? null));
  const replaceAll = () => {
    const count = find.replaceAll();
    if (count > 0) desk.offerUndo(texts.replaced(count));
  };
  const close = () => {
    desk.panel.value = null;
  };

  return (
    <form
      class="panel find"
      role="search"
      aria-label={texts.findTitle}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => keepForFields(event, close, step)}
    >
      <div class="find-line">
        <input
          ref={field}
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          value={find.wanted.value}
          onInput={(event) => (find.wanted.value = event.currentTarget.value)}
        />
        <span class="meta find-count" aria-live="polite">
          {countOf(desk)}
        </span>
        <Button icon="up" label={texts.previousMatch} onClick={() => step(-1)} />
        <Button icon="down" label={texts.nextMatch} onClick={() => step(1)} />
        <Button icon="close" label={texts.closeFind} class="find-close" onClick={close} />
      </div>
      {canEdit && (
        <div class="find-line">
          <input
            type="text"
            aria-label={texts.replaceWith}
            placeholder={texts.replaceWith}
            value={find.replacement.value}
            onInput={(event) => (find.replacement.value = event.currentTarget.value)}
          />
          <Button onClick={() => goTo(desk, find.replaceOne())}>{texts.replace}</Button>
          <Button onClick={replaceAll}>{texts.replaceAll}</Button>
        </div>
      )}
      <div class="find-line">
        <Check label={texts.matchCase} kept={find.matchCase} />
        <Check label={texts.wholeWords} kept={find.whole} />
      </div>
    </form>
  );
}

function Check({ label, kept }: { label: string; kept: Signal<boolean> }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={kept.value}
        onChange={(event) => (kept.value = event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function countOf({ find }: Desk): string {
  const count = find.found.value.length;
  if (find.wanted.value === "") return "";
  const at = find.at.value;
  return at < 0 ? texts.matches(count) : texts.matchOf(at + 1, count);
}

export function goTo(desk: Desk, found: Found | null): void {
  if (!found) return;
  const segment = desk.reader.editor.text.peek().find((one) => one.key === found.key);
  if (!segment) return;
  if (!desk.reader.player.playing.peek()) desk.goTo(timeOf(segment, wordAtOffset(segment, found.from)));
  else desk.spoken.away.value = true; // listening goes on where it is
  const row = rowOf(found.key);
  if (row && !isInView(row)) bringIntoView(found.key);
}

// Keys that belong to the fields here and would act on the text elsewhere: undo, and a second Ctrl+F,
// which opens the browser's own search.
function keepForFields(event: KeyboardEvent, close: () => void, step: (by: 1 | -1) => void): void {
  const control = event.ctrlKey || event.metaKey;
  if (control && ["f", "z", "y"].includes(event.key.toLowerCase())) event.stopPropagation();
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
  if (event.key === "Enter" && (event.target as Element).matches("input[type=search]")) {
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  }
}
