// The options that the screen shows, which the browser remembers.

import { signal } from "@preact/signals";

import { readStored, store } from "../../state/stored.ts";
import { rememberedOptions, rememberOptions, type JobOptions } from "./job_options.ts";

const memory = { getItem: readStored, setItem: store };

export const options = signal<JobOptions>(rememberedOptions(memory));

export function chooseOptions(changes: Partial<JobOptions>): void {
  options.value = { ...options.peek(), ...changes };
  rememberOptions(memory, options.peek());
}
