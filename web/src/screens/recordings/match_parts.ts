// The text around a place that was found, cut so that it fits into a line or two.

import type { Match } from "../../events/types.ts";

export interface Part {
  text: string;
  isHit: boolean;
}

const most_before = 48;
const most_in_all = 160;

export function matchParts({ text, spans }: Pick<Match, "text" | "spans">): Part[] {
  const first = spans[0]?.[0] ?? 0;
  const from = first > most_before ? beginOfWord(text, first - most_before) : 0;
  const to = Math.min(text.length, Math.max(from + most_in_all, spans[0]?.[1] ?? 0));
  const parts: Part[] = from > 0 ? [{ text: "… ", isHit: false }] : [];
  let at = from;
  for (const [start, end] of spans) {
    if (start < at || start >= to) continue;
    if (start > at) parts.push({ text: text.slice(at, start), isHit: false });
    parts.push({ text: text.slice(start, Math.min(end, to)), isHit: true });
    at = Math.min(end, to);
  }
  if (at < to) parts.push({ text: text.slice(at, to), isHit: false });
  if (to < text.length) parts.push({ text: " …", isHit: false });
  return parts;
}

// Texts of languages without spaces are cut anywhere.
function beginOfWord(text: string, near: number): number {
  const space = text.indexOf(" ", near);
  return space >= 0 && space < near + 20 ? space + 1 : near;
}
