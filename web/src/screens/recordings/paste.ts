// What is pasted: files anywhere, as if they were dropped, and addresses on the home screen.

import { route } from "../../router.ts";
import { takeAddresses, takesAddresses } from "./addresses.tsx";
import { addressesIn } from "./addresses_in.ts";
import { mayDrop, takeDropped } from "./door.ts";

export function watchPastes(): void {
  addEventListener("paste", (event) => {
    const clipboard = event.clipboardData;
    if (event.defaultPrevented || !clipboard || !mayDrop()) return;
    const text = clipboard.getData("text/plain");
    // Office programs put a picture beside the text that they copy.
    if (isField(event.target) && (text !== "" || clipboard.files.length === 0)) return;
    if (clipboard.files.length > 0) {
      event.preventDefault();
      takeDropped([...clipboard.files]);
      return;
    }
    const urls = addressesIn(text);
    if (urls.length === 0 || route.peek().screen !== "recordings" || !takesAddresses()) return;
    event.preventDefault();
    void takeAddresses(urls);
  });
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea");
}
