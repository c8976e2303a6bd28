// What is looked for, what was found, and where among it a person is.
import { computed, signal } from "@preact/signals";
import type { Editor } from "./saving/editor.ts";
import { findIn, nearest, type Found, type Search } from "./text/find.ts";
import { indexOfKey } from "./text/segment.ts";

export class FindState {
  readonly open = signal(false);
  readonly wanted = signal("");
  readonly replacement = signal("");
  readonly matchCase = signal(false);
  readonly whole = signal(false);
  // The last match that was looked at, by its place: it stays when the text changes below it.
  private readonly place = signal<{ key: string; from: number } | null>(null);
  private readonly editor: Editor;

  constructor(editor: Editor) {
    this.editor = editor;
  }

  readonly search = computed<Search>(() => ({
    find: this.wanted.value,
    case: this.matchCase.value,
    whole: this.whole.value,
  }));

  readonly found = computed<readonly Found[]>(() =>
    this.open.value ? findIn(this.editor.text.value, this.search.value) : [],
  );

  // The number of the match that a person is at; -1: none.
  readonly at = computed(() => {
    const place = this.place.value;
    const found = this.found.value;
    return place ? found.findIndex((one) => one.key === place.key && one.from === place.from) : -1;
  });

  // Goes to the next or previous match, from the one a person is at or from a segment of the text.
  step(by: 1 | -1, from: string | null): Found | null {
    const found = this.found.peek();
    if (found.length === 0) return null;
    const at = this.at.peek();
    const next = at < 0 ? this.nextFrom(from) : (at + by + found.length) % found.length;
    return this.goTo(found[next]!);
  }

  // Replaces the match that a person is at, and goes to the next.
  replaceOne(): Found | null {
    const found = this.found.peek()[this.at.peek()];
    const segment = found && this.editor.text.peek().find((one) => one.key === found.key);
    if (!found || !segment) return this.step(1, null);
    const by = this.replacement.peek();
    const text = segment.text.slice(0, found.from) + by + segment.text.slice(found.to);
    this.editor.do({ op: "text", segment: found.key, text });
    const next = nearest(this.found.peek(), found.index, found.from + by.length);
    return next < 0 ? null : this.goTo(this.found.peek()[next]!);
  }

  // Returns how many there were. All of it is one step of undo.
  replaceAll(): number {
    const count = this.found.peek().length;
    const search = this.search.peek();
    if (count > 0) this.editor.do({ op: "replace", ...search, with: this.replacement.peek() });
    return count;
  }

  private nextFrom(key: string | null): number {
    const index = key === null ? 0 : Math.max(0, indexOfKey(this.editor.text.peek(), key));
    return nearest(this.found.peek(), index, 0);
  }

  private goTo(found: Found): Found {
    this.place.value = { key: found.key, from: found.from };
    return found;
  }
}
