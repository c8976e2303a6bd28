// Where the words of a segment stand in its text and when they are said.
import type { Segment, Word } from "./segment.ts";

// A word is lit for so long after its end, if the next one does not begin before.
const afterglow_s = 0.4;

type Layout = {
  words: readonly Word[];
  starts: readonly number[]; // offsets of the words in the segment's text
};

const layouts = new WeakMap<Segment, Layout>();

// Made when it is asked for: of a long text only what is heard and clicked.
function layoutOf(segment: Segment): Layout {
  let layout = layouts.get(segment);
  if (!layout) {
    const words = segment.words.length > 0 ? segment.words : estimated(segment);
    layout = { words, starts: startsOf(segment.text, words) };
    layouts.set(segment, layout);
  }
  return layout;
}

// The segment's words; where their times are not known they share it by their length.
export const wordsOf = (segment: Segment): readonly Word[] => layoutOf(segment).words;

// Words are parts of the text, one behind the other. Where one is not found in it, it has the place
// where it would be.
function startsOf(text: string, words: readonly Word[]): number[] {
  let at = 0;
  return words.map(([word]) => {
    const found = text.startsWith(word, at) ? at : text.indexOf(word, at);
    const start = found < 0 ? at : found;
    if (found >= 0) at = start + word.length;
    return start;
  });
}

// Letters of scripts without spaces between words are words by themselves, as in the daemon.
const alone = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const pieces = new RegExp(`\\s*(?:${alone.source}\\p{M}*|(?:(?!${alone.source})\\S)+)`, "gu");

// Returns the words of a text, which together are the text.
export function partsOf(text: string): string[] {
  const parts = text.match(pieces) ?? [];
  const rest = text.slice(parts.join("").length);
  if (rest !== "" && parts.length > 0) parts[parts.length - 1] += rest;
  return parts;
}

// Returns words that share a stretch of time by their length in letters. Probability 1: nobody
// measured them.
export function shared(parts: readonly string[], from: number, to: number): Word[] {
  const sizes = parts.map((part) => Math.max(1, part.trim().length));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let passed = 0;
  return parts.map((part, index) => {
    const start = from + ((to - from) * passed) / all;
    passed += sizes[index]!;
    return [part, start, from + ((to - from) * passed) / all - start, 1];
  });
}

function estimated(segment: Segment): Word[] {
  return shared(partsOf(segment.text), 0, Math.max(0, segment.end - segment.start));
}

// Returns the last number whose value is at most `limit`; -1: none is.
function lastAtMost(count: number, limit: number, value: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Returns the word that is said at `seconds` of the recording; -1 in a pause.
export function wordAtTime(segment: Segment, seconds: number): number {
  const { words } = layoutOf(segment);
  const at = seconds - segment.start;
  const found = lastAtMost(words.length, at, (index) => words[index]![1]);
  const word = words[found];
  return word !== undefined && at <= word[1] + word[2] + afterglow_s ? found : -1;
}

// Returns the word at an offset of the segment's text; a space belongs to the word behind it.
export function wordAtOffset(segment: Segment, offset: number): number {
  const { starts } = layoutOf(segment);
  return Math.max(0, lastAtMost(starts.length, offset, (index) => starts[index]!));
}

// Returns where the word stands, without the spaces around it.
export function spanOf(segment: Segment, word: number): [from: number, to: number] {
  const { words, starts } = layoutOf(segment);
  const text = words[word]?.[0] ?? "";
  const from = (starts[word] ?? 0) + text.length - text.trimStart().length;
  return [from, from + text.trim().length];
}

// Returns when the word begins, in seconds of the recording.
export function timeOf(segment: Segment, word: number): number {
  return segment.start + (layoutOf(segment).words[word]?.[1] ?? 0);
}

// Returns the word that begins the second part if the text is split at `offset`: the one that begins
// nearest to it. 0: there is nothing to split.
export function splitWord(segment: Segment, offset: number): number {
  const { words, starts } = layoutOf(segment);
  if (words.length < 2) return 0;
  let best = 1;
  const distance = (index: number) => Math.abs(spanOf(segment, index)[0] - offset);
  for (let index = 2; index < starts.length; index += 1) {
    if (distance(index) < distance(best)) best = index;
  }
  return best;
}

// Words whose probability is below `threshold`.
export function unsureWords(segment: Segment, threshold: number): number[] {
  const found: number[] = [];
  segment.words.forEach((word, index) => {
    if (word[3] < threshold && word[0].trim() !== "") found.push(index);
  });
  return found;
}
