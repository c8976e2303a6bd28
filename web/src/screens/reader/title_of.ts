import { textsOf } from "../../i18n/i18n.ts";
import { readerNames as en } from "../../i18n/en/reader_names.ts";
import { readerNames as de } from "../../i18n/de/reader_names.ts";
import type { Job } from "../../events/types.ts";

const texts = textsOf({ en, de });

// What a recording is called.
export const titleOf = (job: Job): string => job.title ?? job.filename ?? texts.untitled;
