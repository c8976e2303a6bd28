// Find and replace over the whole text. Letters may differ in case unless `case` is set; with `whole`
// only whole words count.
import { withText } from "./retime.ts";
import type { Text } from "./segment.ts";

export type Search = { find: string; case: boolean; whole: boolean };

export type Found = { key: string; index: number; from: number; to: number };

// Searches that find more say how many they are, but step through these alone.
export const most_found = 10_000;

// Null where there is nothing to look for.
export function patternOf(search: Search): RegExp | null {
  if (search.find === "") return null;
  const literal = search.find.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const letter = "[\\p{L}\\p{M}\\p{N}_]";
  const source = search.whole ? `(?<!${letter})${literal}(?!${letter})` : literal;
  return new RegExp(source, search.case ? "gu" : "giu");
}

export function findIn(text: Text, search: Search): Found[] {
  const pattern = patternOf(search);
  const found: Found[] = [];
  if (!pattern) return found;
  for (const [index, segment] of text.entries()) {
    for (const match of segment.text.matchAll(pattern)) {
      if (found.length === most_found) return found;
      const from = match.index;
      found.push({ key: segment.key, index, from, to: from + match[0].length });
    }
  }
  return found;
}

// Segments without a match stay the same objects; those of which nothing is left are removed.
export function replaceIn(text: Text, search: Search, by: string): Text {
  const pattern = patternOf(search);
  if (!pattern) return text;
  let changed = false;
  const next = text.map((segment) => {
    const replaced = segment.text.replace(pattern, () => by);
    if (replaced === segment.text) return segment;
    changed = true;
    return withText(segment, replaced);
  });
  return changed ? next.filter((segment) => segment.text.trim() !== "") : text;
}

// Returns the first match at or behind a place, from the beginning again where there is none; -1:
// nothing is found. The panel stays where it was when the text changes below it.
export function nearest(found: readonly Found[], index: number, offset: number): number {
  if (found.length === 0) return -1;
  const next = found.findIndex((one) => one.index > index || (one.index === index && one.from >= offset));
  return next < 0 ? 0 : next;
}
