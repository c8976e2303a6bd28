// Stands in the place of every screen while the daemon asks for a key.
import { useState } from "preact/hooks";
import { textsOf } from "../../i18n/i18n.ts";
import { signIn as en } from "../../i18n/en/sign_in.ts";
import { signIn as de } from "../../i18n/de/sign_in.ts";
import { signIn } from "../../state/session.ts";
import { sentenceOf } from "../../ui/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { useTitle } from "../../ui/title.ts";

const texts = textsOf({ en, de });

export function SignIn() {
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useTitle(texts.button);

  // The form is a real one, so that password managers know what it is; it is sent by fetch.
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get("key") ?? "").trim();
    if (key === "") return setWrong(texts.empty);
    setBusy(true);
    const answer = await signIn(key);
    setBusy(false);
    if (answer.ok) return;
    const unknown = answer.error.status === 401;
    setWrong(unknown ? texts.unknown : [sentenceOf(answer.error), answer.error.fix].join(" "));
    form.querySelector<HTMLInputElement>("#key")?.select();
  };

  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <h1>{texts.title}</h1>
      <p>{texts.text}</p>
      {/* Password managers keep a password beside a name. */}
      <input name="username" autoComplete="username" value="scribed" hidden readOnly />
      <label for="key">{texts.key}</label>
      <div class="row">
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="current-password"
          autoFocus
          spellcheck={false}
          aria-describedby="wrong"
          aria-invalid={wrong !== ""}
        />
        <Button kind="main" type="submit" disabled={busy}>
          {texts.button}
        </Button>
      </div>
      <p id="wrong" class="bad" role="alert">
        {wrong}
      </p>
    </form>
  );
}
