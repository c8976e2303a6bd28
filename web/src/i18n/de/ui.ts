import type { ui as english } from "../en/ui.ts";

export const ui: typeof english = {
  close: "Schließen",
  cancel: "Abbrechen",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied:
    "Der Browser blockiert das Kopieren. Bitte markieren Sie den Text und kopieren Sie ihn selbst.",
  about: (size) => `etwa ${size}`,
  andMore: (n) => `und ${n} weitere`,
  loading: "Wird geladen …",
  unreachable: "scribed antwortet nicht.",
  left: (span) => `noch ${span}`,
  amountOf: (done, total) => `${done} von ${total}`,
  perSecond: (amount) => `${amount}/s`,
};
