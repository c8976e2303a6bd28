import { textsOf } from "../i18n/i18n.ts";
import { shell as en } from "../i18n/en/shell.ts";
import { shell as de } from "../i18n/de/shell.ts";
import { nextTry, tryAgain } from "../state/connection.ts";
import { Button } from "../ui/button.tsx";

const texts = textsOf({ en, de });

// Below the header while the daemon does not answer. What people typed stays where it is.
export function ConnectionBanner() {
  const seconds = nextTry.value;
  return (
    <div class="banner" role="alert" hidden={seconds === null}>
      {seconds !== null && (
        <>
          <strong>{texts.noAnswer}</strong> {/* The figure is not read aloud each second. */}
          <span aria-hidden="true">{texts.tryingAgain(seconds)} </span>
          {texts.goesOn}
          <Button onClick={() => void tryAgain()}>{texts.tryNow}</Button>
        </>
      )}
    </div>
  );
}
