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

// Returns the text after a change that the daemon has made.
export function withAnswer(text: Text, answer: Answer, ids: Ids): Text {
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
    next.splice(placeOf(next, wire, ids), 0, segmentOf(wire, key));
  }
  return next;
}

// The text is in the order of its times; of two that begin at once the older id is first.
function placeOf(text: readonly Segment[], wire: WireSegment, ids: Ids): number {
  const isBehind = ({ key, start }: Segment) =>
    start > wire.start || (start === wire.start && Number(ids.idOf(key)) > Number(wire.id));
  const later = text.findIndex(isBehind);
  return later < 0 ? text.length : later;
}
