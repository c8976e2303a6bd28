import { notice, notify } from "../state/notices.ts";
import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { Button } from "../ui/button.tsx";

const texts = textsOf({ en, de });

// The element is always there: screen readers only say what changes in one that they know.
export function StatusRegion() {
  const shown = notice.value;
  const act = () => {
    shown?.action?.run();
    notify(null);
  };
  return (
    <div class={`notice ${shown?.isQuiet ? "unseen" : shown?.bad ? "bad" : ""}`} data-shown={shown !== null}>
      <p role="status">{shown?.text ?? ""}</p>
      {shown?.action && <Button onClick={act}>{shown.action.label}</Button>}
      {shown && <Button icon="close" label={texts.close} onClick={() => notify(null)} />}
    </div>
  );
}
