// The one status region of the page: a short line that screen readers say and people see at the
// bottom of the window. A new notice takes the place of the one before.
import { signal } from "@preact/signals";

export type Notice = {
  text: string;
  bad?: boolean;
  isQuiet?: boolean; // said aloud and not shown
  action?: { label: string; run: () => void }; // as "Undo"
};

export const notice = signal<Notice | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

// Notices with something to press, and bad ones, stay twice as long. `notify(null)` takes it away.
export function notify(next: Notice | string | null): void {
  clearTimeout(timer);
  notice.value = typeof next === "string" ? { text: next } : next;
  const shown = notice.value;
  if (shown === null) return;
  const seconds = shown.bad || shown.action ? 12 : 6;
  timer = setTimeout(() => {
    notice.value = null;
  }, seconds * 1000);
}
