import type { models as english } from "../en/models.ts";

export const models: typeof english = {
  title: "Modelle",
  about:
    "Größere Modelle machen weniger Fehler und brauchen länger. base ist auf den meisten Rechnern ein guter Anfang; " +
    "large-v3-turbo ist fast so gut wie das beste und viel schneller. Modelle auf .en können nur Englisch.",
  here: "Auf diesem Rechner",
  noneHere: "Es ist noch kein Modell da. Unten kann eines geholt werden: base ist klein und schnell.",
  available: "Können geholt werden",
  helpers: "Helfer",
  offline: "Ohne Netz",
  offlineText: "Den Ordner eines Modells auf diesen Rechner kopieren und mit diesem Befehl aufnehmen:",
  uses: {
    transcription: "",
    speech_detection: "findet, wo gesprochen wird, damit Stille übergangen wird",
    speaker_recognition: "erkennt, wer spricht",
  },
  parameters: (amount: string) => `${amount} Parameter`,
  languages: (count: string) => `${count} Sprachen`,
  default: "Standard",
  loaded: "geladen",
  jobs: (n: number) => (n === 1 ? "1 Aufnahme in Arbeit" : `${n} Aufnahmen in Arbeit`),
  damaged: (why: string) => `Beschädigt: ${why}`,
  fetch: (size: string) => (size === "" ? "Holen" : `Holen, ${size}`),
  fetchNamed: (id: string, size: string) => (size === "" ? `Holen: ${id}` : `Holen, ${size}: ${id}`),
  fetching: (id: string) => `${id} wird geholt`,
  stop: "Anhalten",
  stopFetching: (id: string) => `Holen von ${id} anhalten`,
  more: (id: string) => `Mehr zu ${id}`,
  load: "Jetzt laden",
  unload: "Entladen, was seinen Speicher freigibt",
  remove: "Löschen",
  keep: "Behalten",
  removeTitle: (id: string) => `Das Modell ${id} löschen?`,
  removeText: "Es kann wieder geholt werden.",
  removeImported: "Es wurde von Hand aufgenommen und kann nicht wieder geholt werden.",
};
