// The times of words after a change of the text, until the daemon has said them: words that stay keep
// theirs, new ones share the time of those that they replace. The daemon does the same more finely.
import type { Segment, Word } from "./segment.ts";
import { partsOf, shared, wordsOf } from "./words.ts";

export function withText(segment: Segment, text: string): Segment {
  const next = text.trimStart();
  if (next === segment.text) return segment;
  return { ...segment, text: next, words: retimed(segment, next) };
}

function retimed(segment: Segment, text: string): Word[] {
  const before = wordsOf(segment);
  const parts = partsOf(text);
  const same = (word: Word | undefined, part: string | undefined) =>
    word !== undefined && part !== undefined && word[0].trim() === part.trim();
  const most = Math.min(before.length, parts.length);
  let front = 0;
  while (front < most && same(before[front], parts[front])) front += 1;
  let back = 0;
  while (back < most - front && same(before.at(-1 - back), parts.at(-1 - back))) back += 1;

  const rest = before.length - back;
  const between = parts.slice(front, parts.length - back);
  const [from, to] = gap(before, front, rest, segment.end - segment.start);
  const kept = (word: Word, part: string): Word => [part, word[1], word[2], word[3]];
  return [
    ...before.slice(0, front).map((word, index) => kept(word, parts[index]!)),
    ...shared(between, from, to),
    ...before.slice(rest).map((word, index) => kept(word, parts[parts.length - back + index]!)),
  ];
}

// The time of the words from `first` to before `rest`; the gap between their neighbours if they are
// none.
function gap(words: readonly Word[], first: number, rest: number, length: number): [number, number] {
  const endOf = (word: Word | undefined, otherwise: number) => (word ? word[1] + word[2] : otherwise);
  const from = first < rest ? words[first]![1] : endOf(words[first - 1], 0);
  const to = first < rest ? endOf(words[rest - 1], from) : (words[rest]?.[1] ?? length);
  return [from, Math.max(from, to)];
}
