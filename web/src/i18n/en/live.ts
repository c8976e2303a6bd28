export const live = {
  title: "Live",
  intro: "What is said near this microphone becomes text while it is said. Nothing leaves the machine that scribed runs on.",

  // Choices before the start
  options: "For this session",
  microphone: "Microphone",
  anyMicrophone: "the browser's choice",
  microphoneNumber: (n: number) => `Microphone ${n}`,
  language: "Language",
  anyLanguage: "found by itself",
  speakers: "Tell speakers apart",
  keep: "Keep as a recording, with its sound",
  keepOff: "Nothing of it is kept: when this page is closed, it is gone.",

  // While it goes on
  start: "Start",
  startAgain: "Start anew",
  starting: "Opening the microphone …",
  pause: "Pause",
  goOn: "Go on",
  stop: "Stop",
  stopping: "Writing down the last words …",
  recording: "Recording",
  paused: "Paused",
  ended: "Ended",
  level: "Level of the microphone",
  bigText: "Big text",
  listening: "Listening. The words will stand here.",
  toNewest: "To the newest words",
  lag: (span: string) => `The text is ${span} behind. This computer is busy.`,
  quiet: "This microphone gives nothing but silence. Is it muted, or another one meant?",
  speaker: (name: string) => `Speaker ${name}`,
  captions: "Captions",
  spoken: "What was said",

  // What is kept
  recordingOf: (moment: string) => `Live, ${moment}`,
  partOf: (name: string, part: number) => (part === 1 ? name : `${name} (${part})`),
  isKept: "What is heard is kept as a recording, also if this page is closed.",
  openRecording: "Open the recording",
  openPart: (n: number) => `Open part ${n}`,
  whatWasSaid: "the text",

  // Gaps
  lost: (span: string) => `${span} are missing here: the line to scribed was gone.`,
  failed: "Some words are missing here: scribed could not write them down.",
  lineDown: "The line to scribed is gone.",
  lineDownText: (span: string) => `Trying again in ${span}. What is said meanwhile waits here, for up to a minute.`,
  tryNow: "Try now",
  tryAgain: "Try again",

  // No session
  noSocket: "The line to scribed could not be opened.",
  noSocketFix: "If a proxy stands between, it has to let WebSockets pass.",
  noVad: "Turns of speech cannot be found without the model silero-vad.",
  toModels: "Fetch it under Models",

  // No microphone
  insecure: "Browsers give a microphone only to https and localhost.",
  insecureFix: (address: string) => `Open ${address} on the machine itself, or put a proxy with TLS before scribed.`,
  refused: "The browser does not let this page hear the microphone.",
  refusedFix: "Allow it in the address bar, then try again.",
  none: "The browser finds no microphone.",
  noneFix: "Plug one in, then try again.",
  busy: "The microphone gives no sound. Another program may be using it.",
  busyFix: "Close the other program, then try again.",
  unplugged: "The microphone is gone. The session waits.",
  unpluggedFix: "Plug it in, or choose another one, then go on.",
  unknown: "The microphone could not be opened.",
  unknownFix: "Try another browser, or another microphone.",

  // Big text
  close: "Close",
  smaller: "Smaller text",
  larger: "Larger text",
  fullScreen: "Full screen",
  leaveFullScreen: "Leave full screen",
};
