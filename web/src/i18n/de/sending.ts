import type { sending as en } from "../en/sending.ts";

export const sending: typeof en = {
  added: (n) => (n === 1 ? "Eine Aufnahme wird hochgeladen." : `${n} Aufnahmen werden hochgeladen.`),
  nothingFound: "Darin ist keine Aufnahme.",
  leftOut: (names) => `Übersprungen, weil sie keine Aufnahmen sind: ${names}.`,
  leftOutEmpty: (names) => `Übersprungen, weil sie leer sind: ${names}.`,
  andMore: (n) => `und ${n} weitere`,
  folderCut: "Nur die ersten 2000 Dateien des Ordners wurden hinzugefügt.",
  sending: "Wird hochgeladen",
  sent: (percent, size) => `${percent} von ${size} hochgeladen`,
  toSend: (size) => `wartet auf das Hochladen, ${size}`,
  checking: "wird geprüft",
  lineBroken: "Die Verbindung ist unterbrochen. Das Hochladen wird von selbst fortgesetzt.",
  submitting: "hochgeladen, wird übermittelt",
  needsModel: (model) => `hochgeladen, wartet auf das Modell ${model}`,
  needsSomeModel: "hochgeladen, wartet auf ein Modell",
  fileWanted: (percent) => `${percent} hochgeladen. Wählen Sie die Datei noch einmal, um fortzusetzen.`,
  fileWantedNew: "Wählen Sie die Datei noch einmal, um sie hochzuladen.",
  filesWanted: (n) =>
    n === 1 ? "Eine Datei ist nicht vollständig hochgeladen." : `${n} Dateien sind nicht vollständig hochgeladen.`,
  filesWantedText:
    "Browser vergessen Dateien, wenn eine Seite neu geladen wird. Wählen Sie dieselben noch einmal, um fortzusetzen.",
  forgetThem: "Verwerfen",
  chooseAgain: "Noch einmal wählen",
  tooLarge: (size, limit) =>
    `Die Datei hat ${size}; dieser Server akzeptiert bis zu ${limit} (server.max_upload_bytes).`,
  tooLong: (length, limit) => `Die Aufnahme dauert ${length}; dieser Server akzeptiert bis zu ${limit}.`,
  silent: "Dieses Video hat keinen Ton.",
  remove: "Entfernen",
  elsewhere: (n) =>
    n === 1 ? "Ein anderer Tab lädt eine Datei hoch." : `Ein anderer Tab lädt ${n} Dateien hoch.`,
  stop: "Anhalten",
  tryAgain: "Noch einmal versuchen",
  progressOf: (name) => `Fortschritt von ${name}`,
};
