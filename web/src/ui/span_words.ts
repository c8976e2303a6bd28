// Words for what takes time and is on its way.
import { formatBytes, formatSpan, textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { secondsLeft } from "../events/pace.ts";
import type { Pull } from "../events/types.ts";

const texts = textsOf({ en, de });

// Returns a time that is left, without a precision that it does not have: "2 minutes left".
export function leftWords(seconds: number): string {
  const step = seconds < 60 ? 1 : seconds < 120 ? 10 : 60;
  return texts.left(formatSpan(Math.max(1, Math.round(seconds / step) * step)));
}

// Returns how far the fetch of a model is: "61 MB of 148 MB, 12 MB/s, 7 seconds left".
export function pullWords({ done, total, perSecond }: Pull): string {
  const words = [total > 0 ? texts.amountOf(formatBytes(done), formatBytes(total)) : formatBytes(done)];
  if (perSecond !== null) words.push(texts.perSecond(formatBytes(perSecond)));
  const left = secondsLeft(done, total, perSecond);
  if (left !== null) words.push(leftWords(left));
  return words.join(", ");
}
