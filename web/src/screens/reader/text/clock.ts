// Times as people write them: 34.2, 1:02, 1:02:41.5.

// Returns a time with hundredths, for fields in which it is changed.
export function exactClock(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const two = (value: number) => String(value).padStart(2, "0");
  const [h, m] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6_000) % 60];
  const rest = `${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
  return h > 0 ? `${h}:${two(m)}:${rest}` : `${m}:${rest}`;
}

// Returns seconds; null where the text is no time. A comma is as good as a point.
export function parseClock(text: string): number | null {
  const parts = text.trim().replace(",", ".").split(":");
  if (parts.length > 3 || !/^\d+(\.\d*)?$/.test(parts.at(-1)!)) return null;
  if (!parts.slice(0, -1).every((part) => /^\d+$/.test(part))) return null;
  const values = parts.map(Number);
  if (values.slice(1).some((value) => value >= 60)) return null;
  return values.reduce((sum, value) => sum * 60 + value, 0);
}
