// Words that the model was unsure of, to step through them.
import { computed, signal } from "@preact/signals";
import { unsureBelow } from "./choices.ts";
import type { ReaderState } from "./reader_state.ts";
import { unsureWords } from "./text/words.ts";

export type Unsure = { key: string; index: number; word: number };

export class UnsureState {
  readonly on = signal(false);
  readonly at = signal<{ key: string; word: number } | null>(null);
  private readonly reader: ReaderState;

  constructor(reader: ReaderState) {
    this.reader = reader;
  }

  readonly found = computed<readonly Unsure[]>(() => {
    if (!this.on.value) return [];
    const threshold = Number(unsureBelow.value);
    return this.reader.editor.text.value.flatMap((segment, index) =>
      unsureWords(segment, threshold).map((word) => ({ key: segment.key, index, word })),
    );
  });

  readonly number = computed(() => {
    const at = this.at.value;
    return at ? this.found.value.findIndex((one) => one.key === at.key && one.word === at.word) : -1;
  });

  // Goes to the next one, or the one before; from the present place where none was looked at.
  step(by: 1 | -1): Unsure | null {
    const found = this.found.peek();
    const now = this.number.peek();
    const next = now < 0 ? this.fromPresent(by) : (now + by + found.length) % found.length;
    const unsure = found[next] ?? null;
    this.at.value = unsure;
    return unsure;
  }

  private fromPresent(by: 1 | -1): number {
    const found = this.found.peek();
    const text = this.reader.editor.text.peek();
    const key = this.reader.current.peek()?.key;
    const index = text.findIndex((segment) => segment.key === key);
    const ahead = found.findIndex((one) => one.index >= index);
    if (by === 1) return ahead < 0 ? 0 : ahead;
    return ahead <= 0 ? found.length - 1 : ahead - 1;
  }
}
