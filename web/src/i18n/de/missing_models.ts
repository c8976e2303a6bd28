import type { missing_models as en } from "../en/missing_models.ts";

export const missing_models: typeof en = {
  modelMissing: (model) => `Das Modell ${model} ist nicht installiert.`,
  modelSize: (size) => `Downloadgröße: ${size}.`,
  together: (size) => `Beide Modelle zusammen: ${size} herunterzuladen.`,
  fetchIt: "Herunterladen",
  offline: "Ohne Netz:",
  mayNotFetch: "Der Administrator dieses Servers kann es herunterladen.",
  speakersMissing: "Um Sprecher zu kennzeichnen, fehlt noch ein Modell.",
  fetching: (model) => `${model} wird heruntergeladen`,
  stop: "Anhalten",
};
