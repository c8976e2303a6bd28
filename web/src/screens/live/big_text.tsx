// Captions for a whole room: big letters, the last words, and nothing else.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { Button } from "../../ui/button.tsx";
import { Entry, tailOf } from "./captions_view.tsx";
import { choices, sizeBeside } from "./choices.ts";
import { Clock, MainButtons } from "./controls.tsx";
import { captions, isRunning } from "./recorder.ts";

const texts = textsOf({ en, de });

const shown_entries = 12; // more than a screen has room for

export const showsBigText = signal(false);

export function Presentation() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const words = captions.value;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => text.current?.scrollTo({ top: text.current.scrollHeight }));
  const close = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    showsBigText.value = false;
  };
  return (
    <dialog class="big-text" ref={dialog} aria-label={texts.bigText} onClose={close}>
      <div
        class="big-words"
        ref={text}
        tabIndex={0}
        data-size={choices.bigSize.value}
        lang={choices.language.value || undefined}
      >
        {words.entries.length === 0 && isRunning() && <p class="meta">{texts.listening}</p>}
        {words.entries.slice(-shown_entries).map((entry) => (
          <Entry key={entry.id} entry={entry} tail={tailOf(words, entry)} />
        ))}
      </div>
      <div class="row big-bar">
        <MainButtons />
        <Clock />
        <Sizes />
        <FullScreen of={() => dialog.current} />
        <Button icon="close" onClick={close}>{texts.close}</Button>
      </div>
    </dialog>
  );
}

function Sizes() {
  const size = choices.bigSize;
  const change = (step: 1 | -1) => () => (size.value = sizeBeside(size.value, step));
  const isLast = (step: 1 | -1) => sizeBeside(size.value, step) === size.value;
  return (
    <>
      <Button aria-label={texts.smaller} title={texts.smaller} disabled={isLast(-1)} onClick={change(-1)}>A−</Button>
      <Button aria-label={texts.larger} title={texts.larger} disabled={isLast(1)} onClick={change(1)}>A+</Button>
    </>
  );
}

// Phones may have no full screen for parts of a page.
function FullScreen({ of }: { of: () => HTMLElement | null }) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", look);
    return () => document.removeEventListener("fullscreenchange", look);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const change = () =>
    void (isFull ? document.exitFullscreen() : of()?.requestFullscreen())?.catch(() => undefined);
  return <Button onClick={change}>{isFull ? texts.leaveFullScreen : texts.fullScreen}</Button>;
}
