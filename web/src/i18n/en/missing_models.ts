export const missing_models = {
  modelMissing: (model: string) => `The model ${model} is not installed.`,
  modelSize: (size: string) => `Download size: ${size}.`,
  together: (size: string) => `Both models together: ${size} to download.`,
  fetchIt: "Download it",
  offline: "Without a network:",
  mayNotFetch: "The administrator of this server can download it.",
  speakersMissing: "Speaker labels need one more model.",
  fetching: (model: string) => `Downloading ${model}`,
  stop: "Stop",
};
