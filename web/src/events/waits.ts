// How long the page waits before it asks a daemon again that did not answer.

const waits_s = [1, 2, 5, 10, 20, 30];

// Seconds to wait after the given number of failures in a row; the first failure is 1.
export function waitAfter(failures: number): number {
  const last = waits_s.length - 1;
  return waits_s[Math.min(Math.max(failures - 1, 0), last)] ?? 30;
}
