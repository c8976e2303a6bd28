// The frame around all screens.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { keyWanted } from "../api/client.ts";
import { textsOf } from "../i18n/i18n.ts";
import { shell as en } from "../i18n/en/shell.ts";
import { shell as de } from "../i18n/de/shell.ts";
import { route } from "../router.ts";
import { loadSession } from "../state/session.ts";
import { useKeys } from "../state/keys.ts";
import { Questions } from "../ui/dialog.tsx";
import { ConnectionBanner } from "./connection_banner.tsx";
import { Header } from "./header.tsx";
import { StatusRegion } from "./status_region.tsx";
import { CurrentScreen, fetchReaderLater, KeysPanel } from "./current_screen.tsx";

const texts = textsOf({ en, de });

export const keysPanelOpen = signal(false);

export function App() {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const at = route.value;
  const address = JSON.stringify(at);

  useEffect(() => {
    // What a screen shows does not wait for this: it only decides what may be pressed.
    if (at.screen !== "shared") void loadSession();
    fetchReaderLater();
  }, []);

  // At once: an effect after the next frame would take the focus from a field that a quick hand's key
  // has chosen.
  useLayoutEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    if (!first.current) scrollTo(0, 0);
    first.current = false;
  }, [address]);

  const showKeys = () => {
    keysPanelOpen.value = true;
  };
  useKeys([{ keys: ["?"], label: texts.allKeys, run: showKeys }]);

  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address belongs to the router.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skip}
      </a>
      <Header onKeys={showKeys} />
      <ConnectionBanner />
      <main id="main" ref={main} tabIndex={-1}>
        <CurrentScreen signIn={keyWanted.value && at.screen !== "shared"} />
      </main>
      <StatusRegion />
      <Questions />
      {keysPanelOpen.value && <KeysPanel onClose={() => (keysPanelOpen.value = false)} />}
    </>
  );
}
