// The options that the screen shows, which the browser remembers.

import { signal } from "@preact/signals";

import { readStored, store } from "./stored.ts";
import { rememberedOptions, rememberOptions, type JobOptions } from "./job_options.ts";

const memory = { getItem: readStored, setItem: store };

export const chosenOptions = signal<JobOptions>(rememberedOptions(memory));

export function chooseOptions(changes: Partial<JobOptions>): void {
  chosenOptions.value = { ...chosenOptions.peek(), ...changes };
  rememberOptions(memory, chosenOptions.peek());
}
