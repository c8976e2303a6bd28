// What a person does to a text. Each operation is applied here at once and, in the same words, by
// the daemon when it is saved.
import { replaceIn, type Search } from "./find.ts";
import { withText } from "./retime.ts";
import { indexOfKey, withoutLead, type Segment, type Text, type Word } from "./segment.ts";
import { splitWord, spanOf, wordsOf } from "./words.ts";

export type Operation =
  | { op: "text"; segment: string; text: string }
  // `at` is an offset of the text; `made` the key of the second part.
  | { op: "split"; segment: string; at: number; made: string }
  | { op: "merge"; segment: string } // with the one behind it
  | { op: "delete"; segment: string }
  | { op: "times"; segment: string; start: number; end: number }
  | { op: "speaker"; segment: string; speaker: string | null }
  // Two labels that are one person: the segments of the first get the second.
  | { op: "merge_speakers"; speaker: string; into: string }
  | ({ op: "replace" } & Search & { with: string });

// Returns the text as it is afterwards; null where the operation means nothing in this text, because
// its segment is gone.
export function applied(text: Text, operation: Operation): Text | null {
  if (operation.op === "replace") return replaceIn(text, operation, operation.with);
  if (operation.op === "merge_speakers") {
    const { speaker, into } = operation;
    return text.map((segment) => (segment.speaker === speaker ? { ...segment, speaker: into } : segment));
  }
  const at = indexOfKey(text, operation.segment);
  const segment = text[at];
  if (segment === undefined) return null;
  const next = text[at + 1];
  switch (operation.op) {
    case "text":
      return spliced(text, at, 1, withText(segment, operation.text));
    case "split": {
      const parts = split(segment, operation.at, operation.made);
      return parts && spliced(text, at, 1, ...parts);
    }
    case "merge":
      return next === undefined ? null : spliced(text, at, 2, merged(segment, next));
    case "delete":
      return spliced(text, at, 1);
    case "times":
      return spliced(text, at, 1, withTimes(segment, operation.start, operation.end));
    case "speaker":
      return spliced(text, at, 1, { ...segment, speaker: operation.speaker });
  }
}

function spliced(text: Text, at: number, removed: number, ...added: Segment[]): Text {
  const copy = text.slice();
  copy.splice(at, removed, ...added);
  return copy;
}

function split(segment: Segment, offset: number, made: string): [Segment, Segment] | null {
  const word = splitWord(segment, offset);
  if (word === 0) return null;
  const words = wordsOf(segment);
  const [cut] = spanOf(segment, word);
  const border = words[word]![1];
  const before = words.slice(0, word);
  const lead = words[word]![0].length - words[word]![0].trimStart().length;
  const behind = withoutLead(words.slice(word), lead).map(
    ([text, start, length, probability]): Word => [text, start - border, length, probability],
  );
  const last = before.at(-1)!;
  return [
    {
      ...segment,
      end: segment.start + Math.min(border, last[1] + last[2]),
      text: segment.text.slice(0, cut).trimEnd(),
      words: before,
    },
    { ...segment, key: made, start: segment.start + border, text: segment.text.slice(cut), words: behind },
  ];
}

function merged(first: Segment, second: Segment): Segment {
  const shift = second.start - first.start;
  const space = needsSpace(first.text, second.text) ? " " : "";
  const behind = wordsOf(second).map(([text, start, length, probability], index): Word => [
    index === 0 ? space + text : text,
    start + shift,
    length,
    probability,
  ]);
  return {
    ...first,
    end: Math.max(first.end, second.end),
    speaker: first.speaker ?? second.speaker,
    text: first.text + space + second.text,
    words: [...wordsOf(first), ...behind],
  };
}

const without_spaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u;

function needsSpace(before: string, behind: string): boolean {
  if (before === "" || behind === "" || /\s$/.test(before)) return false;
  return !without_spaces.test(before);
}

// Words stay at their places in the recording; those outside are drawn to the border.
function withTimes(segment: Segment, start: number, end: number): Segment {
  const within = (seconds: number) => Math.min(Math.max(seconds, start), end) - start;
  const words = segment.words.map(([text, from, length, probability]): Word => {
    const begin = within(segment.start + from);
    return [text, begin, within(segment.start + from + length) - begin, probability];
  });
  return { ...segment, start, end, words };
}
