// Keeps the screen on while somebody reads along. Browsers without it, or without https, do not; a
// page that was out of sight has to ask again.
let wanted = false;
let lock: WakeLockSentinel | null = null;

export function keepScreenOn(on: boolean): void {
  wanted = on;
  void update();
}

async function update(): Promise<void> {
  if (!wanted) {
    await lock?.release().catch(() => undefined);
    lock = null;
  } else if (document.visibilityState === "visible" && (lock === null || lock.released)) {
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

globalThis.document?.addEventListener("visibilitychange", () => void update());
