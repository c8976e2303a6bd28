// How texts, numbers, times and names are written in the language of the page. The texts of a screen
// are objects of one shape, i18n/en/SCREEN.ts and i18n/de/SCREEN.ts.
import type { Language } from "./choose_language.ts";

const wanted: readonly string[] = globalThis.navigator?.languages ?? ["en"];

// Fixed for as long as the page is open: start.ts has chosen it, and this set of files with it.
export const language: Language = globalThis.document?.documentElement.lang === "de" ? "de" : "en";

// Numbers and dates follow the region too: en-GB where the browser says so.
const locale: string = wanted.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;

// Returns the texts of the page's language. `english` decides the shape, so a missing text is an
// error of types in the other one. In a set of files both are of the same language (build.mjs).
export function textsOf<Texts>(all: { en: Texts; de: Texts }): Texts {
  return all[language];
}

const integers = new Intl.NumberFormat(locale);
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: "percent" });
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const timeOnly = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const languageNames = new Intl.DisplayNames(locale, { type: "language" });

export const formatNumber = (value: number) => integers.format(value);
export const formatDecimal = (value: number) => oneDigit.format(value);

// `share` is 0 to 1. What is not whole never reads as 100 %.
export const formatPercent = (share: number) => percents.format(Math.floor(share * 100) / 100);

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatBytes(bytes: number): string {
  let power = 0;
  while (bytes >= 1000 ** (power + 1) && power < byteUnits.length - 1) power += 1;
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value);
}

// Returns a place in a recording: 0:07, 12:30, 1:02:41.
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const units = (value: number, unit: "hour" | "minute" | "second") =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);

// Returns how long something lasts, in words: "1 hour 2 minutes", "19 seconds".
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts: string[] = [];
  if (h > 0) parts.push(units(h, "hour"));
  if (m > 0) parts.push(units(m, "minute"));
  if (h === 0 && (s > 0 || m === 0)) parts.push(units(s, "second"));
  return parts.join(" ");
}

// Returns a moment: the time alone if it is today. `at` is in seconds since 1970, as in the API.
export function formatMoment(at: number, now = Date.now() / 1000): string {
  const sameDay = new Date(at * 1000).toDateString() === new Date(now * 1000).toDateString();
  return (sameDay ? timeOnly : dayAndTime).format(at * 1000);
}

// Returns when something is, seen from now: "in 5 minutes", "tomorrow".
export function formatRelative(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(Math.round(seconds), "second");
  if (size < 3600) return relative.format(Math.round(seconds / 60), "minute");
  if (size < 86400) return relative.format(Math.round(seconds / 3600), "hour");
  return relative.format(Math.round(seconds / 86400), "day");
}

// Returns the name of a spoken language by its code, as "Dutch" for "nl".
export function languageName(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
}
