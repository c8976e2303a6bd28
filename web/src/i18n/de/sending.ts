import type { sending as en } from "../en/sending.ts";

export const sending: typeof en = {
  added: (n) => (n === 1 ? "Eine Aufnahme wird gesendet." : `${n} Aufnahmen werden gesendet.`),
  nothingFound: "Darin ist keine Aufnahme.",
  leftOut: (names) => `Weggelassen, weil sie keine Aufnahmen sind: ${names}.`,
  leftOutEmpty: (names) => `Weggelassen, weil sie leer sind: ${names}.`,
  andMore: (n) => `und ${n} weitere`,
  folderCut: "Nur die ersten 2000 Dateien des Ordners wurden genommen.",
  sending: "Wird gesendet",
  sent: (percent, size) => `${percent} von ${size} gesendet`,
  toSend: (size) => `wartet auf das Senden, ${size}`,
  checking: "wird angesehen",
  lineBroken: "Die Verbindung ist unterbrochen. Es geht von selbst weiter.",
  submitting: "gesendet, wird übergeben",
  needsModel: (model) => `gesendet, wartet auf das Modell ${model}`,
  needsSomeModel: "gesendet, wartet auf ein Modell",
  fileWanted: (percent) => `${percent} gesendet. Datei noch einmal wählen, dann geht es weiter.`,
  fileWantedNew: "Datei noch einmal wählen, um sie zu senden.",
  filesWanted: (n) =>
    n === 1 ? "Eine Datei ist nicht ganz gesendet." : `${n} Dateien sind nicht ganz gesendet.`,
  filesWantedText:
    "Browser vergessen Dateien, wenn eine Seite neu geladen wird. Wählen Sie dieselben noch einmal, dann geht es dort weiter, wo es stehen blieb.",
  forgetThem: "Vergessen",
  chooseAgain: "Noch einmal wählen",
  tooLarge: (size, limit) =>
    `Die Datei hat ${size}; dieser Server nimmt bis zu ${limit} (server.max_upload_bytes).`,
  tooLong: (length, limit) => `Die Aufnahme dauert ${length}; dieser Server nimmt bis zu ${limit}.`,
  silent: "Dieses Video hat keinen Ton.",
  remove: "Entfernen",
  elsewhere: (n) =>
    n === 1 ? "Ein anderer Tab sendet eine Datei." : `Ein anderer Tab sendet ${n} Dateien.`,
  stop: "Anhalten",
  tryAgain: "Noch einmal versuchen",
  progressOf: (name) => `Fortschritt von ${name}`,
};
