import type { batch as english } from "../en/batch.ts";

const recordingsOf = (n: number) => (n === 1 ? "1 Aufnahme" : `${n} Aufnahmen`);

export const batch: typeof english = {
  title: "Ausgewählte Aufnahmen",
  selected: (n) => `${n} ausgewählt`,
  download: "Herunterladen",
  formats: {
    txt: "Text, als Zip",
    srt: "Untertitel SRT, als Zip",
    vtt: "Untertitel VTT, als Zip",
    docx: "Word-Dokumente, als Zip",
    json: "JSON, als Zip",
  },
  again: "Noch einmal transkribieren",
  tryAgain: "Noch einmal versuchen",
  delete: "Löschen",
  selectAll: "Alle gezeigten auswählen",
  clear: "Auswahl aufheben",
  working: (ended, all) => `${ended} von ${all}`,
  stop: "Anhalten",
  untitled: "Aufnahme",
  deleteTitle: (n) => `${recordingsOf(n)} mit ${n === 1 ? "dem Transkript" : "ihren Transkripten"} löschen?`,
  withOpen: (n) => (n === 1 ? "Eine davon ist noch nicht fertig." : `${n} davon sind noch nicht fertig.`),
  deleteText: "Das lässt sich nicht rückgängig machen.",
  deleted: (n) => `${recordingsOf(n)} gelöscht.`,
  notDeleted: (n) => (n === 1 ? "1 Aufnahme wurde nicht gelöscht:" : `${n} Aufnahmen wurden nicht gelöscht:`),
  repeated: (n) =>
    `${recordingsOf(n)} ${n === 1 ? "wird" : "werden"} mit den Einstellungen oben noch einmal transkribiert.`,
  notRepeated: (n) =>
    n === 1 ? "1 Aufnahme wird nicht noch einmal transkribiert:" : `${n} Aufnahmen werden nicht noch einmal transkribiert:`,
  saved: (n) => (n === 1 ? "1 Transkript gesichert." : `${n} Transkripte gesichert.`),
  notSaved: (n) => (n === 1 ? "1 Transkript fehlt im Zip:" : `${n} Transkripte fehlen im Zip:`),
  notEnded: "Sie ist noch nicht fertig.",
  noAudio: "Ihr Audio ist nicht gespeichert. Laden Sie sie noch einmal hoch.",
  noText: "Sie hat kein Transkript.",
};
