import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { hrefOf } from "../../router.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { FileButton } from "../../ui/file_button.tsx";
import { isAddressFormOpen, openAddressForm, takesAddresses } from "./addresses.tsx";
import { dragging, takeFiles } from "./door.ts";
import { OptionsLine } from "./options_line.tsx";

const texts = textsOf({ en, de });

export const address_button = "from-address";

export function DropZone() {
  return (
    <section class="drop-zone" data-over={dragging.value}>
      <div class="drop-row">
        <p class="drop-words">{dragging.value ? texts.dropNow : texts.drop}</p>
        <FileButton kind="main" label={texts.chooseFiles} onFiles={takeFiles} />
        <FileButton folder label={texts.chooseFolder} onFiles={takeFiles} />
        {takesAddresses() && (
          <Button id={address_button} aria-expanded={isAddressFormOpen.value} onClick={() => void openAddressForm()}>
            {texts.fromAddress}
          </Button>
        )}
        <ButtonLink icon="microphone" href={hrefOf({ screen: "live" })}>
          {texts.record}
        </ButtonLink>
      </div>
      <OptionsLine />
    </section>
  );
}
