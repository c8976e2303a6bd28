// A row whose text is written. A copy of the text lies behind the field: it gives the field its
// height, and carries the light of the spoken word.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatClock } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { tabPlays } from "../choices.ts";
import type { Desk } from "../desk.ts";
import type { Segment } from "../text/segment.ts";
import { texts } from "../texts.ts";

export function RowEditor({ desk, segment }: { desk: Desk; segment: Segment }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { key, text } = segment;
  const place = desk.reader.editing.peek();

  useLayoutEffect(() => {
    const element = field.current!;
    element.value = text;
    element.focus({ preventScroll: true });
    const inText = (offset = 0) => Math.min(offset, text.length);
    element.setSelectionRange(inText(place?.caret), inText(place?.end));
  }, []);

  // Undo, and another window, write into the field too. What counts is the text of this moment: that
  // of this drawing may be older than the last key.
  const takeText = () => {
    const now = desk.reader.editor.text.peek().find((one) => one.key === key);
    if (now) takeOver(field.current!, now.text);
  };
  useEffect(() => {
    if (field.current!.value.trim() !== "") takeText(); // else it was emptied for other words
  }, [text]);
  useEffect(takeText, [desk.refills.value]);

  const caret = () => field.current!.selectionStart;
  return (
    <div class="editor" onKeyDown={(event) => event.key === "Escape" && desk.stopEditing()}>
      <div class="field">
        <div class="field-copy" aria-hidden="true">
          {text === "" ? "\u200b" : text /* without a letter it had no height */}
        </div>
        <textarea
          ref={field}
          aria-label={texts.textFrom(formatClock(segment.start))}
          rows={1}
          spellcheck
          onInput={(event) => desk.type(key, oneLine(event.currentTarget))}
          onKeyDown={(event) => keyPressed(desk, key, event)}
        />
      </div>
      <div class="row editor-tools">
        <Button kind="main" icon="check" onClick={() => desk.stopEditing()}>
          {texts.done}
        </Button>
        <Button onMouseDown={keepFocus} onClick={() => desk.split(key, caret())}>
          {texts.splitHere}
        </Button>
        <Button onMouseDown={keepFocus} onClick={() => desk.joinPrevious(key)}>
          {texts.joinPrevious}
        </Button>
        <span class="meta editor-hint">{texts.editHint}</span>
      </div>
    </div>
  );
}

// A segment is one line; what is pasted may have several.
function oneLine(field: HTMLTextAreaElement): string {
  if (!field.value.includes("\n")) return field.value;
  const caret = field.selectionStart;
  field.value = field.value.replaceAll("\n", " ");
  field.setSelectionRange(caret, caret);
  return field.value;
}

// Spaces at the ends are no difference: they are being typed.
function takeOver(field: HTMLTextAreaElement, text: string): void {
  if (field.value.trim() === text.trim()) return;
  const caret = Math.min(field.selectionStart, text.length);
  field.value = text;
  field.setSelectionRange(caret, caret);
}

const keepFocus = (event: MouseEvent) => event.preventDefault();

// Enter and Backspace mean what they mean between paragraphs. Everything else is the field's own, or
// among the keys of the screen.
function keyPressed(desk: Desk, key: string, event: KeyboardEvent): void {
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  const field = event.currentTarget as HTMLTextAreaElement;
  const { selectionStart: start, selectionEnd: end } = field;
  const acts: Record<string, (() => void) | false> = {
    Enter: () => desk.split(key, start),
    Backspace: start === 0 && end === 0 && (() => desk.joinPrevious(key)),
    Delete: start === field.value.length && (() => desk.joinNext(key)),
    Tab: tabPlays.value === "on" && !event.shiftKey && (() => desk.reader.player.toggle()),
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
