// Dialogs are the browser's own: it keeps the focus inside, closes by Escape and gives the focus
// back. Nothing that a person typed is ever lost by a click outside, so such a click does nothing.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { Button } from "./button.tsx";
import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";

const texts = textsOf({ en, de });

export type DialogProps = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  actions?: ComponentChildren; // buttons at its end
  class?: string;
};

// Open for as long as it is on the page: {open && <Dialog …>}.
export function Dialog({ title, onClose, children, actions, class: more = "" }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isGone.current = true; // the browser tells of this later, when another dialog may be open
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${more}`.trim()}
      aria-labelledby={heading}
      onClose={() => {
        if (!isGone.current) onClose();
      }}
      onCancel={(event) => {
        // A person decides by a button or Escape; the component is taken away by its owner.
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <Button icon="close" label={texts.close} onClick={onClose} />
      </header>
      {children}
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}

type Question = {
  title: string;
  text?: string;
  confirm: string; // what the button that does it says
  cancel?: string; // what the other one says; "Cancel" where it is missing
  danger?: boolean;
  answer: (yes: boolean) => void;
};

const question = signal<Question | null>(null);

// Asks before something that cannot be undone: if (await confirm({…})) …
export function confirm(about: Omit<Question, "answer">): Promise<boolean> {
  return new Promise((resolve) => {
    question.value?.answer(false);
    question.value = {
      ...about,
      answer: (yes) => {
        question.value = null;
        resolve(yes);
      },
    };
  });
}

// The shell has this once, for all questions.
export function Questions() {
  const asked = question.value;
  if (asked === null) return null;
  return (
    <Dialog
      title={asked.title}
      onClose={() => asked.answer(false)}
      actions={
        <>
          <Button kind={asked.danger ? "danger" : "main"} onClick={() => asked.answer(true)}>
            {asked.confirm}
          </Button>
          <Button onClick={() => asked.answer(false)}>{asked.cancel ?? texts.cancel}</Button>
        </>
      }
    >
      {asked.text !== undefined && <p>{asked.text}</p>}
    </Dialog>
  );
}
