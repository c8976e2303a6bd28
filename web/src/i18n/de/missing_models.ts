import type { missing_models as en } from "../en/missing_models.ts";

export const missing_models: typeof en = {
  modelMissing: (model) => `Das Modell ${model} ist noch nicht da.`,
  modelSize: (size) => `Es hat ${size}.`,
  together: (size) => `Beide Modelle zusammen: ${size} herunterzuladen.`,
  fetchIt: "Holen",
  offline: "Ohne Netz:",
  mayNotFetch: "Wer diesen Server betreut, kann es holen.",
  speakersMissing: "Um Sprecher zu unterscheiden, fehlt noch ein Modell.",
  fetching: (model) => `${model} wird geholt`,
  stop: "Anhalten",
};
