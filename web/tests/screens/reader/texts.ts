// Texts for tests: made by chance from a seed, so that a failure can be repeated.
import { partsOf, shared } from "../../../src/screens/reader/text/words.ts";
import type { Segment, Text, WireSegment } from "../../../src/screens/reader/text/segment.ts";

export type Chance = (below: number) => number;

// Returns whole numbers from 0 to below the given one.
export function chanceOf(seed: number): Chance {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const vocabulary = ["the", "lamp", "Keeper,", "light", "sea", "灯台", "über", "storm.", "at", "night"];

export function sentence(chance: Chance, words = 1 + chance(8)): string {
  return Array.from({ length: words }, () => vocabulary[chance(vocabulary.length)]!).join(" ");
}

export function segment(key: string, start: number, end: number, text: string): Segment {
  const words = shared(partsOf(text), 0, end - start);
  return { key, start, end, text, speaker: null, language: null, words };
}

export function textOf(chance: Chance, count: number): Text {
  return Array.from({ length: count }, (_, index) =>
    segment(String(index), index * 4, index * 4 + 3.5, sentence(chance)),
  );
}

export function wireOf({ key, start, end, text, speaker, words }: Segment): WireSegment {
  return { id: key, start, end, text, speaker, words };
}

// What a reader sees: no keys, no times.
export const shown = (text: Text) => text.map((one) => `${one.speaker ?? ""}|${one.text}`);
