// What screen readers say of the captions: whole sentences that are sure, and not more often than
// every two seconds, so that they are heard to their end.
import type { Captions } from "./captions.ts";

const pause_ms = 2000;

// A sentence ends with a sign of its end, also behind quotes and brackets.
const sentence = /^[\s\S]*[.!?…。！？।؟]["'”’」）)\]]*(?=\s|$)/u;

export class SaidAloud {
  private readonly said = new Map<string, number>(); // how much of each turn, in letters
  private last = -Infinity;

  // Returns what is to be said now: the sentences that have come since the last time; or nothing.
  next({ entries }: Captions, now: number): string | null {
    if (now - this.last < pause_ms) return null;
    const parts: string[] = [];
    for (const entry of entries) {
      if (entry.kind !== "turn") continue;
      const from = this.said.get(entry.id) ?? 0;
      const rest = entry.text.slice(from);
      const part = entry.isEnded ? rest : (sentence.exec(rest)?.[0] ?? "");
      if (part.trim() === "") continue;
      this.said.set(entry.id, from + part.length);
      parts.push(part.trim());
    }
    if (parts.length === 0) return null;
    this.last = now;
    return parts.join(" ");
  }
}
