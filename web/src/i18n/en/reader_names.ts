// What the transcript screen and its dialogs call the same things.
export const readerNames = {
  untitled: "Untitled recording",
  download: "Download",
  speakers: "Speakers",
  rename: "Rename",
  changeTimes: "Change times",
  whoSpeaks: "Who speaks?",
  done: "Done",
  versions: "Versions",
  share: "Share by a link",
  again: "Transcribe again",
};
