// Groups the segments of a long text, so that browsers lay out only those groups that are seen, and a
// change draws one of them anew.
import type { Segment, Text } from "./segment.ts";

export type Section = {
  readonly key: string; // of its first segment
  readonly segments: readonly Segment[];
};

const usual = 50;
const most = 100;

// Returns the sections of a text. Those of `before` begin where they began, and are the same objects
// where nothing in them has changed.
export function sectionsOf(text: Text, before: readonly Section[]): Section[] {
  const known = new Map(before.map((section) => [section.key, section]));
  const sections: Section[] = [];
  let first = 0;
  while (first < text.length) {
    const section = sectionAt(text, first, known);
    sections.push(section);
    first += section.segments.length;
  }
  return sections;
}

function sectionAt(text: Text, first: number, known: ReadonlyMap<string, Section>): Section {
  const key = text[first]!.key;
  const before = known.get(key);
  // A full section takes what is added to it, such as the second part of a segment.
  const limit = before && before.segments.length >= usual ? most : usual;
  let end = first + 1;
  while (end < text.length && end - first < limit && !known.has(text[end]!.key)) end += 1;
  const same =
    before?.segments.length === end - first &&
    before.segments.every((segment, index) => segment === text[first + index]);
  return same ? before : { key, segments: text.slice(first, end) };
}
