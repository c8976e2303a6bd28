export const live = {
  title: "Live",
  insecure: "Browsers give a microphone only to https and localhost.",
};
