// What a person has chosen for this browser, kept in localStorage.
import { effect, signal, type Signal } from "@preact/signals";
import { readStored, store } from "./stored.ts";

export type Theme = "auto" | "light" | "dark";
export type TextSize = "normal" | "large" | "larger";
export type LanguageChoice = "auto" | "en" | "de";

// Makes a signal whose value is kept. What is stored and no longer among `values` is not used.
export function keptChoice<T extends string>(name: string, values: readonly T[]): Signal<T> {
  const stored = readStored(name) as T | null;
  const kept = signal<T>(stored !== null && values.includes(stored) ? stored : values[0]!);
  effect(() => {
    if (kept.value !== (readStored(name) ?? values[0])) store(name, kept.value);
  });
  return kept;
}

export const settings = {
  theme: keptChoice<Theme>("theme", ["auto", "light", "dark"]),
  textSize: keptChoice<TextSize>("text_size", ["normal", "large", "larger"]),
  language: keptChoice<LanguageChoice>("language", ["auto", "en", "de"]),
  singleKeys: keptChoice<"on" | "off">("single_keys", ["on", "off"]),
};

// Has the choices shown on the root element, from which the styles take them.
export function applySettings(root: HTMLElement): void {
  effect(() => {
    root.dataset.theme = settings.theme.value;
    root.dataset.size = settings.textSize.value;
  });
}
