import { textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { useTitle } from "../../ui/title.ts";

const texts = textsOf({ en, de });

export function System() {
  useTitle(texts.title);
  return <h1>{texts.title}</h1>;
}
