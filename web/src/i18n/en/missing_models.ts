export const missing_models = {
  modelMissing: (model: string) => `The model ${model} is not here yet.`,
  modelSize: (size: string) => `It has ${size}.`,
  together: (size: string) => `Both models together: ${size} to download.`,
  fetchIt: "Fetch it",
  offline: "Without a network:",
  mayNotFetch: "Who looks after this server can fetch it.",
  speakersMissing: "Telling speakers apart needs one more model.",
  fetching: (model: string) => `Fetching ${model}`,
  stop: "Stop",
};
