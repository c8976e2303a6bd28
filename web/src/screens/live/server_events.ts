// What the daemon tells in a live session, as far as the page uses it: OpenAI's Realtime API, with
// scribed's own events (docs/api.md).

const text = "conversation.item.input_audio_transcription.";

export const committed = "input_audio_buffer.committed";
export const delta = `${text}delta` as const;
export const segment = `${text}segment` as const;
export const completed = `${text}completed` as const;
export const failed = `${text}failed` as const;

export interface Trouble {
  code: string | null;
  message: string;
}

export type LiveEvent =
  | { type: "session.created" | "session.updated" }
  | { type: "input_audio_buffer.speech_started" | typeof committed; item_id: string }
  | { type: "input_audio_buffer.cleared" }
  | { type: typeof delta; item_id: string; delta: string }
  | { type: typeof segment; item_id: string; speaker: string }
  | { type: typeof completed; item_id: string; transcript: string }
  | { type: typeof failed; item_id: string; error: Trouble }
  | { type: "scribed.tail"; item_id: string | null; text: string; heard_s: number }
  | { type: "scribed.kept"; job_id: string }
  | { type: "error"; error: Trouble & { event_id: string | null } };

export function isEnd(event: LiveEvent): event is Extract<LiveEvent, { type: typeof completed | typeof failed }> {
  return event.type === completed || event.type === failed;
}

// Returns null for what is no event. Kinds that the page does not know pass, and are ignored.
export function parseEvent(message: string): LiveEvent | null {
  try {
    const event: unknown = JSON.parse(message);
    const type = (event as { type?: unknown } | null)?.type;
    return typeof type === "string" ? (event as LiveEvent) : null;
  } catch {
    return null;
  }
}
