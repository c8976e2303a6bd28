import type { readerDialogs as english } from "../en/reader_dialogs.ts";
import { readerNames } from "./reader_names.ts";

const plural = (n: number, one: string, many: string) => (n === 1 ? one : many);

export const readerDialogs: typeof english = {
  ...readerNames,
  downloadTitle: "Text herunterladen",
  withTimes: "Mit Zeiten",
  withSpeakers: "Mit Sprechern",
  withHint: "Für Dokumente und reinen Text. Untertitel haben immer Zeiten.",
  downloadAs: (format: string) => `Herunterladen: ${format}`,
  theSound: "Ton",
  formats: {
    docx: "Dokument für Word",
    txt: "Reiner Text",
    srt: "Untertitel für Videos",
    vtt: "Untertitel für Webseiten",
    tsv: "Tabelle",
    lrc: "Liedtext",
    json: "Alles, für Programme",
    rttm: "Sprecherwechsel, für Programme",
  },

  title: "Titel",
  renameHint: "Ohne Titel wird der Name der Datei gezeigt.",
  renameDo: "Umbenennen",

  speakersHint: "Ein Name gilt im ganzen Text und in allen Dateien.",
  speakerNumber: (n: number, label: string) => `Sprecher ${n} (${label})`,
  segmentsOf: (n: number) => plural(n, "1 Zeile", `${n} Zeilen`),
  anotherSpeaker: "Jemand anderes",
  nobody: "Niemand",

  begins: "Beginnt",
  ends: "Endet",
  earlier: "eine Zehntelsekunde früher",
  later: "eine Zehntelsekunde später",
  fromPlayer: "Zeit der Wiedergabe",
  timesHint: "Wörter behalten ihre Stellen im Ton.",
  noTime: "Eine Zeit schreibt man 1:02:41,5 oder 34,2.",
  endsBefore: "Sie muss nach ihrem Beginn enden.",
  endsOutside: "Sie muss vor dem Ende der Aufnahme enden.",
  outOfOrder: "Sie muss nach der Zeile davor und vor der dahinter beginnen.",
  change: "Ändern",
  listen: "Anhören",

  versionsHint:
    "Jede gespeicherte Änderung ist aufgehoben. Auch die Rückkehr zu einer Fassung ist eine Änderung; verloren geht nichts.",
  version: (n: number) => `Fassung ${n}`,
  firstVersion: "Wie sie erkannt wurde",
  look: "Ansehen",
  shownNow: "jetzt gezeigt",
  restore: "Dahin zurück",
  restoreVersion: (n: number) => `Zurück zu Fassung ${n}`,
  operations: {
    text: "Text",
    split: "Zeile geteilt",
    merge: "Zeilen verbunden",
    delete: "Zeile gelöscht",
    times: "Zeiten",
    speaker: "Sprecher",
    name: "Name",
    replace: "ersetzt",
    restore: "zurückgekehrt",
  },

  shareText: "Wer den Link hat, kann diese Aufnahme lesen, hören und herunterladen. Ändern kann sie niemand.",
  shareFor: "Er endet nach",
  days: (n: number) => plural(n, "1 Tag", `${n} Tagen`),
  makeLink: "Link erzeugen",
  theLink: "der Link",
  links: "Gültige Links",
  linkUntil: (made: string, end: string) => `erzeugt ${made}, endet ${end}`,
  revoke: "Jetzt beenden",

  againHint: "Der aufbewahrte Ton wird neu transkribiert, als weitere Aufnahme in der Liste. Dieser Text bleibt, wie er ist.",
  againDo: "Transkribieren",
  model: "Modell",
  spokenLanguage: "Gesprochene Sprache",
  automatic: "erkennen",
  translate: "Ins Englische übersetzen",
  tellSpeakers: "Sprecher unterscheiden",
};
