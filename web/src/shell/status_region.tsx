import { notice, notify, said } from "../state/notices.ts";
import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";
import { Button } from "../ui/button.tsx";

const texts = textsOf({ en, de });

// The elements are always there: screen readers only say what changes in those that they know.
export function StatusRegion() {
  const shown = notice.value;
  const act = () => {
    shown?.action?.run();
    notify(null);
  };
  return (
    <>
      <p class="unseen" role="status">{said.value}</p>
      <div class={shown?.bad ? "notice bad" : "notice"} data-shown={shown !== null}>
        <p role="status">{shown?.text ?? ""}</p>
        {shown?.action && <Button onClick={act}>{shown.action.label}</Button>}
        {shown && <Button icon="close" label={texts.close} onClick={() => notify(null)} />}
      </div>
    </>
  );
}
