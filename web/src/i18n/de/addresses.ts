import type { addresses as english } from "../en/addresses.ts";

export const addresses: typeof english = {
  title: "Von Adressen",
  address: "Adresse einer Aufnahme",
  add: "Hinzufügen",
  close: "Schließen",
  https: "Die Adresse beginnt mit https://. Der Server lädt sie herunter.",
  hosts: (names) => `Der Server lädt von ${names} herunter, über https.`,
  added: "Der Server lädt die Aufnahme herunter.",
  downloading: "Der Server lädt sie herunter.",
  stop: "Anhalten",
  tryAgain: "Noch einmal versuchen",
  remove: "Entfernen",
};
