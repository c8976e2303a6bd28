// Words while people speak.
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { useTitle } from "../../ui/title.ts";

const texts = textsOf({ en, de });

export function Live() {
  useTitle(texts.title);
  return (
    <>
      <h1>{texts.title}</h1>
      {!isSecureContext && <p>{texts.insecure}</p>}
    </>
  );
}
