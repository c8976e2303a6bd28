// How much is downloaded for models.
import { formatBytes, textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";

const texts = textsOf({ en, de });

// Where the size of a small file is unknown, the weights are nearly all of it.
export type Sized = { download_bytes: number | null; weights_bytes: number | null };

// Returns the size in words; empty where it is not known of all of them.
export function downloadSize(models: readonly Sized[]): string {
  let total = 0;
  let isExact = true;
  for (const { download_bytes, weights_bytes } of models) {
    const bytes = download_bytes ?? weights_bytes;
    if (bytes === null) return "";
    total += bytes;
    isExact &&= download_bytes !== null;
  }
  return isExact ? formatBytes(total) : texts.about(formatBytes(total));
}
