import { textsOf } from "../../i18n/i18n.ts";
import { reader as en } from "../../i18n/en/reader.ts";
import { reader as de } from "../../i18n/de/reader.ts";

export const texts = textsOf({ en, de });
