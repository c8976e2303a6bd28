// How other programs use this scribed, with its own address.
import { textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { apiUrl } from "../../api/client.ts";
import { session } from "../../state/session.ts";
import { CopyButton } from "../../ui/copy_button.tsx";
import { samplesFor } from "./samples.ts";

const texts = textsOf({ en, de });

export function ApiSamples() {
  const base = new URL(".", document.baseURI).href.replace(/[/]$/, "");
  const samples = samplesFor(base, session.value?.keys_required ?? false);
  return (
    <section>
      <h2>{texts.api}</h2>
      <p>
        {texts.apiText} <a href={apiUrl("/docs")}>{texts.routes}</a> ·{" "}
        <a href={apiUrl("/openapi.json")}>OpenAPI</a>
      </p>
      {samples.map(({ name, text }) => (
        <div key={name} class="sample">
          <div class="row">
            <h3>{texts.samples[name]}</h3>
            <CopyButton text={text} what={texts.samples[name]} />
          </div>
          <pre tabIndex={0}>{text}</pre>
        </div>
      ))}
    </section>
  );
}
