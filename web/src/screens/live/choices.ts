// What somebody has chosen for live sessions. The browser remembers it.
import { effect, signal, type Signal } from "@preact/signals";
import { keptChoice } from "../../state/settings.ts";
import { readStored, store } from "../../state/stored.ts";

function keptText(name: string): Signal<string> {
  const kept = signal(readStored(name) ?? "");
  effect(() => {
    if (kept.value !== (readStored(name) ?? "")) store(name, kept.value);
  });
  return kept;
}

export const bigSizes = ["2.5", "3", "3.5", "4", "5", "6"] as const; // rem
export type BigSize = (typeof bigSizes)[number];

// A phone has no room for long words in larger letters.
const firstSize: BigSize = globalThis.matchMedia?.("(width < 40rem)").matches ? "2.5" : "4";

export const choices = {
  microphone: keptText("live_microphone"), // its id; "": the browser's choice
  language: keptText("live_language"), // a code; "": found by itself
  speakers: keptChoice("live_speakers", ["off", "on"]),
  keep: keptChoice("live_keep", ["on", "off"]), // as a recording, with its sound
  bigSize: keptChoice<BigSize>("live_big_size", [firstSize, ...bigSizes]),
};

// Returns the next size in a direction; the same at the end.
export function sizeBeside(size: BigSize, step: 1 | -1): BigSize {
  return bigSizes[bigSizes.indexOf(size) + step] ?? size;
}
