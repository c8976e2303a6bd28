import type { readerNames as english } from "../en/reader_names.ts";

export const readerNames: typeof english = {
  untitled: "Aufnahme ohne Titel",
  download: "Herunterladen",
  speakers: "Sprecher",
  rename: "Umbenennen",
  changeTimes: "Zeiten ändern",
  whoSpeaks: "Wer spricht?",
  done: "Fertig",
  versions: "Fassungen",
  share: "Mit einem Link teilen",
  again: "Noch einmal transkribieren",
};
