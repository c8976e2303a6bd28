import { language } from "../../i18n/i18n.ts";

const fixed = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

// "1.0" and not "1", so that what stands behind it keeps its place.
export const formatRate = (rate: number) => fixed.format(rate);
