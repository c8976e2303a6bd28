// Asks again while the daemon does not answer, and says when it is back.
import { effect, signal } from "@preact/signals";
import { get, reachable } from "../api/client.ts";

export const pauseSeconds = 5;

// Seconds until the next try; null while all is well.
export const nextTry = signal<number | null>(null);

// Counts how often the daemon came back. Screens that depend on it read their state anew.
export const reconnections = signal(0);

export async function tryAgain(): Promise<void> {
  const answer = await get("/health");
  // A daemon that is not ready answers too.
  if (answer.ok || answer.error.status !== 0) {
    reachable.value = true;
    reconnections.value += 1;
  } else {
    nextTry.value = pauseSeconds;
  }
}

function tick(): void {
  const left = nextTry.peek();
  if (left === null) return;
  if (left > 1) nextTry.value = left - 1;
  else if (left === 1) {
    nextTry.value = 0;
    void tryAgain();
  }
}

export function watchConnection(): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  effect(() => {
    const lost = !reachable.value;
    clearInterval(timer);
    nextTry.value = lost ? pauseSeconds : null;
    if (lost) timer = setInterval(tick, 1000);
  });
}
