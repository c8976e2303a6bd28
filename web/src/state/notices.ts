// What the page tells in a short line. A notice is seen at the bottom of the window and said by screen
// readers; a new one takes the place of the one before.
import { signal } from "@preact/signals";

export type Notice = {
  text: string;
  bad?: boolean;
  isNews?: boolean; // it came by itself, and is no answer to what somebody did
  action?: { label: string; run: () => void }; // as "Undo"
};

export const notice = signal<Notice | null>(null);

// What is said aloud and not shown.
export const said = signal("");

const shown_ms = 6000;

let noticeTimer: ReturnType<typeof setTimeout> | undefined;
let saidTimer: ReturnType<typeof setTimeout> | undefined;

// Notices with something to press, and bad ones, stay twice as long. `notify(null)` takes it away.
export function notify(next: Notice | string | null): void {
  clearTimeout(noticeTimer);
  notice.value = typeof next === "string" ? { text: next } : next;
  const shown = notice.value;
  if (shown === null) return;
  noticeTimer = setTimeout(() => (notice.value = null), shown.bad || shown.action ? 2 * shown_ms : shown_ms);
}

export function say(text: string): void {
  clearTimeout(saidTimer);
  said.value = text;
  saidTimer = setTimeout(() => (said.value = ""), shown_ms);
}

// Tells what happened by itself. Where somebody may be reading what became of their own doing, it is
// only said.
export function tellNews(text: string, bad = false): void {
  const shown = notice.peek();
  if (shown === null || shown.isNews) notify({ text, bad, isNews: true });
  else say(text);
}
