import type { ui as english } from "../en/ui.ts";

export const ui: typeof english = {
  close: "Schließen",
  cancel: "Abbrechen",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied:
    "Der Browser lässt diese Seite nicht kopieren. Bitte den Text markieren und selbst kopieren.",
  about: (size) => `etwa ${size}`,
  andMore: (n) => `und ${n} weitere`,
  loading: "Wird geladen …",
  unreachable: "scribed antwortet nicht.",
  left: (span) => `noch ${span}`,
  amountOf: (done, total) => `${done} von ${total}`,
  perSecond: (amount) => `${amount}/s`,
};
