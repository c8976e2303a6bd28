export const addresses = {
  title: "From addresses",
  address: "Address of a recording",
  add: "Add",
  close: "Close",
  https: "The address begins with https://. The server downloads it.",
  hosts: (names: string) => `The server downloads from ${names}, by https.`,
  added: "The server downloads the recording.",
  downloading: "The server downloads it.",
  stop: "Stop",
  tryAgain: "Try again",
  remove: "Remove",
};
