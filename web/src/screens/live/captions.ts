// The words on the screen: what is sure, turn by turn, and the tail that may still change.
import { completed, delta, failed, segment, type LiveEvent } from "./server_events.ts";

// What somebody has said between two silences.
export interface Turn {
  kind: "turn";
  id: string;
  text: string;
  speaker: string | null;
  isEnded: boolean;
}

// Sound that nobody has heard.
export interface Gap {
  kind: "gap";
  id: string;
  reason: "lost" | "failed"; // on its way to the daemon, or by the daemon
  seconds: number; // 0: not known
}

export interface Captions {
  entries: readonly (Turn | Gap)[];
  tail: { id: string; text: string } | null;
}

export const noCaptions: Captions = { entries: [], tail: null };

export function takeEvent(before: Captions, event: LiveEvent): Captions {
  switch (event.type) {
    case "input_audio_buffer.speech_started":
      return changed(before, event.item_id, (turn) => turn);
    case delta:
      return changed(before, event.item_id, (turn) => ({ ...turn, text: turn.text + event.delta }));
    case segment:
      return changed(before, event.item_id, (turn) => ({ ...turn, speaker: event.speaker }));
    case completed:
      return ended(before, event.item_id, event.transcript);
    case failed:
      return addGap(ended(before, event.item_id, null), "failed", 0);
    case "scribed.tail":
      return { ...before, tail: tailOf(event) };
    default:
      return before;
  }
}

// Says that sound is missing at this place. The turn at hand gets no more words.
export function addGap(before: Captions, reason: Gap["reason"], seconds: number): Captions {
  const gap: Gap = { kind: "gap", id: `gap ${before.entries.length}`, reason, seconds };
  return { entries: [...endAll(before.entries), gap], tail: null };
}

// The line to the daemon is gone: words that were not sure yet are not to come.
export function breakOff(before: Captions): Captions {
  return { entries: endAll(before.entries), tail: null };
}

// All that is sure, a line for each turn, for whoever copies it.
export function plainText({ entries }: Captions): string {
  return entries
    .filter((entry): entry is Turn => entry.kind === "turn" && entry.text !== "")
    .map(({ speaker, text }) => (speaker === null ? text : `${speaker}: ${text}`))
    .join("\n");
}

function tailOf({ item_id, text }: Extract<LiveEvent, { type: "scribed.tail" }>): Captions["tail"] {
  return item_id === null || text === "" ? null : { id: item_id, text };
}

function changed(before: Captions, id: string, change: (turn: Turn) => Turn): Captions {
  const place = before.entries.findLastIndex((entry) => entry.id === id);
  const known = before.entries[place];
  if (known === undefined) {
    const turn: Turn = { kind: "turn", id, text: "", speaker: null, isEnded: false };
    return { ...before, entries: [...before.entries, change(turn)] };
  }
  return { ...before, entries: before.entries.with(place, known.kind === "turn" ? change(known) : known) };
}

// A turn without words leaves nothing. `text` null: it stays as it is.
function ended(before: Captions, id: string, text: string | null): Captions {
  const after = changed(before, id, (turn) => ({ ...turn, text: text ?? turn.text, isEnded: true }));
  return {
    entries: after.entries.filter((entry) => entry.id !== id || entry.kind === "gap" || entry.text !== ""),
    tail: after.tail?.id === id ? null : after.tail,
  };
}

function endAll(entries: Captions["entries"]): Captions["entries"] {
  return entries
    .map((entry) => (entry.kind === "turn" ? { ...entry, isEnded: true } : entry))
    .filter((entry) => entry.kind === "gap" || entry.text !== "");
}
