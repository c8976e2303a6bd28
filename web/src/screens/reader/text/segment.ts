// The text of a recording as the page has it: a list of segments in the order in which they are read.

// Text, start (seconds from the segment's start), length in seconds, probability.
export type Word = readonly [text: string, start: number, length: number, probability: number];

// As GET /v1/jobs/ID/segments has it.
export type WireSegment = {
  id: string;
  start: number;
  end: number;
  text: string;
  speaker?: string | null;
  language?: string | null;
  words: readonly Word[];
};

// Segments are never changed in place, so that a view knows by identity what is new. `key` stays
// the same from the first moment on; a segment that was made here has no id until it is saved.
export type Segment = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly text: string; // without the white space that it begins with
  readonly speaker: string | null; // the label, not the name
  readonly language: string | null;
  readonly words: readonly Word[]; // empty where their times are not known
};

export type Text = readonly Segment[];

export function segmentOf(wire: WireSegment, key: string): Segment {
  const text = wire.text.trimStart();
  return {
    key,
    start: wire.start,
    end: wire.end,
    text,
    speaker: wire.speaker ?? null,
    language: wire.language ?? null,
    words: withoutLead(wire.words, wire.text.length - text.length),
  };
}

// Returns the words of a text whose first `lead` letters, which are white space, are cut off.
export function withoutLead(words: readonly Word[], lead: number): readonly Word[] {
  const first = words[0];
  if (lead === 0 || first === undefined) return words;
  const [text, start, length, probability] = first;
  return [[text.slice(lead), start, length, probability], ...words.slice(1)];
}

export function indexOfKey(text: Text, key: string): number {
  return text.findIndex((segment) => segment.key === key);
}

// Returns the last segment that begins at or before `seconds`; -1 before the first one.
export function segmentAt(text: Text, seconds: number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (text[middle]!.start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Speakers in the order in which they begin to speak.
export function speakersOf(text: Text): string[] {
  const found = new Set<string>();
  for (const { speaker } of text) if (speaker !== null) found.add(speaker);
  return [...found];
}
