import { textsOf } from "../../../i18n/i18n.ts";
import { readerDialogs as en } from "../../../i18n/en/reader_dialogs.ts";
import { readerDialogs as de } from "../../../i18n/de/reader_dialogs.ts";

export const texts = textsOf({ en, de });
