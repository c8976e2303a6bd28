// Which recordings of the list are selected.

import { signal } from "@preact/signals";

export class Selection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  private last: string | null = null;

  // Selects one, or no longer. With `isRange` all between it and the one before get the same; `order`
  // has the recordings as they are shown.
  choose(id: string, isChosen: boolean, order: readonly string[], isRange = false): void {
    const ids = new Set(this.ids.peek());
    for (const one of isRange ? rangeOf(order, this.last ?? id, id) : [id]) {
      if (isChosen) ids.add(one);
      else ids.delete(one);
    }
    this.last = id;
    this.ids.value = ids;
  }

  all(order: readonly string[]): void {
    this.ids.value = new Set(order);
  }

  clear(): void {
    this.last = null;
    if (this.ids.peek().size > 0) this.ids.value = new Set();
  }

  // A recording that is gone is selected no longer.
  drop(id: string): void {
    if (!this.ids.peek().has(id)) return;
    const ids = new Set(this.ids.peek());
    ids.delete(id);
    this.ids.value = ids;
  }
}

// One of them may have left the list meanwhile.
function rangeOf(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  return a < 0 || b < 0 ? [to] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}

export const selection = new Selection();
