// What people do on this screen, in one place for keys, buttons and menus.
import { computed, effect, signal } from "@preact/signals";
import { formatClock } from "../../i18n/i18n.ts";
import { notice, notify, type Notice } from "../../state/notices.ts";
import { copyText } from "../../ui/copy.ts";
import { rename } from "./actions.ts";
import { FindState } from "./find_state.ts";
import { Marks } from "./parts/marks.ts";
import { rowOf } from "./parts/places.ts";
import { Spoken } from "./parts/spoken.ts";
import type { ReaderState } from "./reader_state.ts";
import type { Work } from "./saving/work.ts";
import { indexOfKey, speakersOf, type Segment } from "./text/segment.ts";
import { UnsureState } from "./unsure_state.ts";
import { texts } from "./texts.ts";

export type Shown =
  | "download"
  | "speakers"
  | "versions"
  | "share"
  | "again"
  | "rename"
  | { times: string }
  | { speaker: string };

export class Desk {
  readonly reader: ReaderState;
  readonly spoken: Spoken;
  readonly find: FindState;
  readonly unsure: UnsureState;
  readonly marks: Marks;
  readonly panel = signal<"find" | "unsure" | null>(null);
  readonly shown = signal<Shown | null>(null);

  readonly speakers = computed(() => speakersOf(this.reader.editor.text.value));
  readonly refills = signal(0); // counts how often undo wrote into the field that is open
  private emptied: string | null = null;

  constructor(reader: ReaderState) {
    this.reader = reader;
    this.spoken = new Spoken(reader);
    this.find = new FindState(reader.editor);
    this.unsure = new UnsureState(reader);
    this.marks = new Marks(this);
  }

  // Returns what ends it.
  start(): () => void {
    const stops = [this.spoken.start(), this.marks.start()];
    return () => stops.forEach((stop) => stop());
  }

  readonly show = (what: Shown | null): void => {
    this.shown.value = what;
  };

  nearChanged(): void {
    this.marks.draw();
  }

  // Goes to a time; what is there comes into view.
  goTo(seconds: number): void {
    this.reader.player.seek(seconds);
    this.spoken.away.value = false;
  }

  playFrom(seconds: number): void {
    this.spoken.away.value = false;
    this.reader.player.playFrom(seconds);
  }

  // To the segment before or after the present one.
  step(by: -1 | 1): void {
    const text = this.reader.editor.text.peek();
    const current = this.reader.current.peek();
    const target = current && text[indexOfKey(text, current.key) + by];
    if (!target) return;
    const onTime = document.activeElement?.matches(".from");
    this.goTo(target.start);
    this.spoken.scrollTo(target.key);
    if (onTime) rowOf(target.key)?.querySelector<HTMLElement>(".from")?.focus({ preventScroll: true });
  }

  repeat(slower: boolean): void {
    const segment = this.reader.current.peek();
    if (segment) this.reader.player.playFrom(segment.start, slower ? segment.end : null);
  }

  // Letters up to `end` are selected; without it there is a caret alone.
  edit(key: string, caret: number, end = caret): void {
    if (!this.reader.canEdit.peek()) return;
    this.deleteEmptied();
    this.reader.editing.value = { key, caret, end };
  }

  editCurrent(): void {
    const segment = this.reader.current.peek();
    if (segment) this.edit(segment.key, segment.text.length);
  }

  // What was typed is in the text already. The keyboard goes on at the row, at once: later it might be
  // in another field.
  stopEditing(): void {
    const editing = this.reader.editing.peek();
    if (!editing) return;
    const hadFocus = document.activeElement?.closest(".editor") != null;
    if (hadFocus) rowOf(editing.key)?.querySelector<HTMLElement>(".from")?.focus({ preventScroll: true });
    this.reader.editing.value = null;
    this.deleteEmptied();
  }

  do(work: Work): boolean {
    if (!this.reader.canEdit.peek()) return false;
    return this.reader.editor.do(work);
  }

  // A line that was emptied waits for new words; it is deleted if none come.
  type(key: string, text: string): void {
    this.emptied = text.trim() === "" ? key : null;
    if (this.emptied === null) this.do({ op: "text", segment: key, text });
  }

  split(key: string, at: number): void {
    const made = this.reader.editor.newKey();
    if (this.do({ op: "split", segment: key, at, made })) this.edit(made, 0);
    else notify(texts.oneWord);
  }

  joinPrevious(key: string): void {
    const text = this.reader.editor.text.peek();
    const before = text[indexOfKey(text, key) - 1];
    if (!before) return;
    const caret = before.text.length;
    if (this.do({ op: "merge", segment: before.key })) this.edit(before.key, caret);
  }

  joinNext(key: string): void {
    const before = this.reader.editor.text.peek().find((one) => one.key === key);
    if (before && this.do({ op: "merge", segment: key })) this.edit(key, before.text.length);
  }

  deleteSegment(segment: Segment): void {
    if (!this.do({ op: "delete", segment: segment.key })) return;
    this.offerUndo(texts.deleted(formatClock(segment.start)));
  }

  // Tells what was just done, with a button that takes it back. The notice leaves once that was
  // undone, or something else was done after it: the button would mean another step.
  offerUndo(text: string): void {
    const { toUndo } = this.reader.editor;
    const done = toUndo.peek();
    const shown: Notice = { text, action: { label: texts.undo, run: () => this.undo() } };
    notify(shown);
    const stop = effect(() => {
      if (toUndo.value === done && notice.value === shown) return;
      queueMicrotask(() => stop());
      if (notice.peek() === shown) notify(null);
    });
  }

  // The n-th speaker of the text, counted from 1.
  setSpeaker(number: number): void {
    const key = this.reader.editing.peek()?.key ?? this.reader.current.peek()?.key;
    const speaker = this.speakers.peek()[number - 1];
    if (key !== undefined && speaker !== undefined) this.do({ op: "speaker", segment: key, speaker });
  }

  undo(): void {
    this.reader.editor.undo();
    this.refillField();
  }

  redo(): void {
    this.reader.editor.redo();
    this.refillField();
  }

  save(): void {
    this.reader.saver.saveNow();
    if (this.reader.saver.state.peek().is === "saved") notify(texts.allSaved);
  }

  // Returns whether it is called so now.
  rename(title: string): Promise<boolean> {
    return rename(this.reader, title);
  }

  async copyAll(): Promise<void> {
    const { names, text } = this.reader.editor;
    const lines: string[] = [];
    let speaker: string | null = null;
    for (const segment of text.peek()) {
      const name = segment.speaker === null ? null : (names.peek()[segment.speaker] ?? segment.speaker);
      if (segment.speaker !== speaker && name !== null) lines.push(`${name}: ${segment.text}`);
      else lines.push(segment.text);
      speaker = segment.speaker;
    }
    this.copied(await copyText(lines.join("\n")), texts.copiedAll);
  }

  async copySegment(segment: Segment): Promise<void> {
    this.copied(await copyText(segment.text), texts.copied);
  }

  private copied(done: boolean, text: string): void {
    notify(done ? text : { text: texts.notCopied, bad: true });
  }

  private deleteEmptied(): void {
    if (this.emptied !== null) this.do({ op: "delete", segment: this.emptied });
    this.emptied = null;
  }

  // What is edited may be another text now, or gone.
  private refillField(): void {
    const key = this.reader.editing.peek()?.key;
    const segment = this.reader.editor.text.peek().find((one) => one.key === key);
    this.emptied = null;
    if (!segment) this.reader.editing.value = null;
    this.refills.value += 1;
  }
}
