// Where the text stands on the page: rows, their text, and the place under the pointer.
import { spanOf, wordsOf } from "../text/words.ts";
import type { Segment } from "../text/segment.ts";

export const rowId = (key: string) => `s${key}`;

export const rowOf = (key: string): HTMLElement | null => document.getElementById(rowId(key));

export function keyOfRow(element: Element | null): string | null {
  return element?.closest<HTMLElement>("[data-key]")?.dataset.key ?? null;
}

// The one text node of a row; while it is edited that of the copy behind the field.
export function textNodeOf(row: Element): Text | null {
  const holder = row.querySelector(".field-copy") ?? row;
  for (const node of holder.childNodes) if (node instanceof Text) return node;
  return null;
}

// Null where the page shows another text than it knows, for as long as it is about to be drawn.
export function rangeOf(row: Element, from: number, to: number): Range | null {
  const node = textNodeOf(row);
  if (!node || to > node.length) return null;
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return range;
}

type Caret = { offsetNode: Node; offset: number };

function caretAt(x: number, y: number): Caret | null {
  if ("caretPositionFromPoint" in document) return document.caretPositionFromPoint(x, y);
  const range = (document as Document).caretRangeFromPoint?.(x, y);
  return range ? { offsetNode: range.startContainer, offset: range.startOffset } : null;
}

// Returns the offset of the row's text at a point of the window.
export function offsetAt(row: Element, segment: Segment, x: number, y: number): number {
  const caret = caretAt(x, y);
  const node = textNodeOf(row);
  if (caret && caret.offsetNode === node) return caret.offset;
  // Right after a jump browsers may say only which element it is.
  const found = wordsOf(segment).findIndex((_, word) => isInside(rangeOf(row, ...spanOf(segment, word)), x, y));
  return found < 0 ? 0 : spanOf(segment, found)[0];
}

// Returns what a double click has marked in a row, without spaces around it. The browser knows words
// of scripts that have no spaces.
export function markedWord(key: string): [from: number, to: number] | null {
  const row = rowOf(key);
  const marked = getSelection();
  const node = row && textNodeOf(row);
  if (!node || !marked || marked.anchorNode !== node || marked.focusNode !== node) return null;
  const offsets = [marked.anchorOffset, marked.focusOffset];
  const start = Math.min(...offsets);
  const word = node.data.slice(start, Math.max(...offsets));
  const from = start + word.length - word.trimStart().length;
  return word.trim() === "" ? null : [from, from + word.trim().length];
}

function isInside(range: Range | null, x: number, y: number): boolean {
  const boxes = [...(range?.getClientRects() ?? [])];
  return boxes.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
}

// Brings a row into view. Sections that were never seen have a guessed height, so that it may take
// several looks.
export function bringIntoView(key: string, smooth = false, looks = 4): void {
  const row = rowOf(key);
  if (!row) return;
  row.scrollIntoView({ block: "center", behavior: smooth ? "smooth" : "instant" });
  if (smooth || looks === 0) return;
  requestAnimationFrame(() => {
    if (!isInView(row)) bringIntoView(key, false, looks - 1);
  });
}

// Whether the row stands between the bar above and the player below, with some room.
export function isInView(row: Element): boolean {
  const box = row.getBoundingClientRect();
  const above = document.querySelector(".reader-top")?.getBoundingClientRect().bottom ?? 0;
  const below = document.querySelector(".player")?.getBoundingClientRect().top ?? innerHeight;
  return box.top >= above && box.bottom <= below - 24;
}
