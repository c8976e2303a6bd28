// Colours what was found, and words that the model was unsure of, in those rows that are near.
import { effect } from "@preact/signals";
import type { Desk } from "../desk.ts";
import type { Segment } from "../text/segment.ts";
import { spanOf } from "../text/words.ts";
import { rangeOf } from "./places.ts";

type Span = [from: number, to: number];

export class Marks {
  private readonly desk: Desk;
  private frame = 0;

  constructor(desk: Desk) {
    this.desk = desk;
  }

  start(): () => void {
    const stop = effect(() => {
      const { find, unsure, reader } = this.desk;
      void [find.found.value, find.at.value, unsure.found.value, unsure.number.value];
      void [reader.editor.text.value, reader.editing.value];
      this.draw();
    });
    return () => {
      stop();
      cancelAnimationFrame(this.frame);
      if ("highlights" in CSS) for (const name of names) CSS.highlights.delete(name);
    };
  }

  // After the page itself was drawn.
  draw(): void {
    if (!("highlights" in CSS)) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    const { find, unsure, reader } = this.desk;
    const text = reader.editor.text.peek();
    const [found, doubted] = [find.found.peek(), unsure.found.peek()];
    const foundAt = found[find.at.peek()];
    const unsureAt = doubted[unsure.number.peek()];
    const near = rowsNear();
    const spanOfUnsure = ({ index, word }: { index: number; word: number }): Span =>
      spanOf(text[index] as Segment, word);
    set("found", rangesIn(near, found, ({ from, to }) => [from, to]));
    set("found-here", foundAt ? rangesIn(near, [foundAt], ({ from, to }) => [from, to]) : []);
    set("unsure", rangesIn(near, doubted, spanOfUnsure));
    set("unsure-here", unsureAt ? rangesIn(near, [unsureAt], spanOfUnsure) : []);
  }
}

const names = ["found", "found-here", "unsure", "unsure-here"];

function rowsNear(): Map<string, HTMLElement> {
  const rows = document.querySelectorAll<HTMLElement>('[data-near="true"] > .segment');
  return new Map([...rows].map((row) => [row.dataset.key!, row]));
}

function rangesIn<Place extends { key: string }>(
  rows: ReadonlyMap<string, HTMLElement>,
  places: readonly Place[],
  spanOfPlace: (place: Place) => Span,
): Range[] {
  const ranges: Range[] = [];
  for (const place of places) {
    const row = rows.get(place.key);
    const range = row && rangeOf(row, ...spanOfPlace(place));
    if (range) ranges.push(range);
  }
  return ranges;
}

function set(name: string, ranges: readonly Range[]): void {
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
