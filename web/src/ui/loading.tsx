import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { useLater } from "./later.ts";

const texts = textsOf({ en, de });

// Stands where something is fetched. What comes at once is never announced.
export function Loading() {
  return <p class="meta">{useLater() ? texts.loading : " "}</p>;
}
