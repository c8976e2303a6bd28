// The same for whoever has a link: read-only.
import { textsOf } from "../../i18n/i18n.ts";
import { reader as en } from "../../i18n/en/reader.ts";
import { reader as de } from "../../i18n/de/reader.ts";
import { useTitle } from "../../ui/title.ts";

const texts = textsOf({ en, de });

export function Shared({ token: _ }: { token: string }) {
  useTitle(texts.title);
  return <h1>{texts.title}</h1>;
}
