import { textsOf } from "../../i18n/i18n.ts";
import { models as en } from "../../i18n/en/models.ts";
import { models as de } from "../../i18n/de/models.ts";
import { useTitle } from "../../ui/title.ts";

const texts = textsOf({ en, de });

export function Models() {
  useTitle(texts.title);
  return <h1>{texts.title}</h1>;
}
