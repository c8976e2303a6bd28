import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { notify } from "../state/notices.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy.ts";

const texts = textsOf({ en, de });

// Copies `text`; `what` names it for whoever cannot see what stands beside the button.
export function CopyButton({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    const copied = await copyText(text);
    notify(copied ? texts.copied : { text: texts.notCopied, bad: true });
  };
  return (
    <Button icon="copy" onClick={copy} aria-label={`${texts.copy}: ${what}`}>
      {texts.copy}
    </Button>
  );
}
