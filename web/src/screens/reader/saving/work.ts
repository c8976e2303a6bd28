// What waits to be saved, and what the daemon answers to it.
import type { Operation } from "../text/operations.ts";
import { segmentOf, type Segment, type Text, type WireSegment } from "../text/segment.ts";

// Names of speakers by their labels; null gives the label back.
export type Names = Readonly<Record<string, string | null>>;

export type Work =
  | Operation
  | { op: "restore"; version: number }
  | { op: "names"; names: Names };

export type Answer = {
  version: number;
  changed: readonly WireSegment[];
  removed: readonly string[];
};

// The ids that the daemon gives to segments, and the keys under which the page knows them.
export class Ids {
  private readonly ids = new Map<string, string>();
  private readonly keys = new Map<string, string>();

  link(key: string, id: string): void {
    this.ids.set(key, id);
    this.keys.set(id, key);
  }

  keyOf = (id: string): string => this.keys.get(id) ?? id;
  idOf = (key: string): string => this.ids.get(key) ?? key;
}

// Returns the text after a change that the daemon has made. `order` has the keys as they stand there
// afterwards, where that is known: it says where those belong that were not there before.
export function withAnswer(text: Text, answer: Answer, ids: Ids, order: Text | null): Text {
  const removed = new Set(answer.removed.map(ids.keyOf));
  const changed = new Map(answer.changed.map((wire) => [ids.keyOf(wire.id), wire]));
  const next: Segment[] = [];
  for (const segment of text) {
    const wire = changed.get(segment.key);
    changed.delete(segment.key);
    if (!removed.has(segment.key)) next.push(wire ? segmentOf(wire, segment.key) : segment);
  }
  // What is left was not there before.
  for (const [key, wire] of changed) {
    const place = placeBehind(next, key, order) ?? placeByTime(next, wire, ids);
    next.splice(place, 0, segmentOf(wire, key));
  }
  return next;
}

// Behind the nearest one before it that is there.
function placeBehind(text: readonly Segment[], key: string, order: Text | null): number | null {
  let at = order?.findIndex((segment) => segment.key === key) ?? -1;
  if (!order || at < 0) return null;
  for (at -= 1; at >= 0; at -= 1) {
    const found = text.findIndex((segment) => segment.key === order[at]!.key);
    if (found >= 0) return found + 1;
  }
  return 0;
}

// The text is in the order of its times; of two that begin at once the older id is first.
function placeByTime(text: readonly Segment[], wire: WireSegment, ids: Ids): number {
  const isBehind = ({ key, start }: Segment) =>
    start > wire.start || (start === wire.start && Number(ids.idOf(key)) > Number(wire.id));
  const later = text.findIndex(isBehind);
  return later < 0 ? text.length : later;
}
