export const live = {
  title: "Live",
  intro: "Live transcription of this microphone. Audio and text stay on the machine that runs scribed.",

  // Choices before the start
  options: "For this session",
  microphone: "Microphone",
  anyMicrophone: "Browser default",
  microphoneNumber: (n: number) => `Microphone ${n}`,
  language: "Language",
  anyLanguage: "Auto-detect",
  speakers: "Speaker labels",
  keep: "Save as a recording with audio",
  keepOff: "Nothing is saved: the text is lost when you close this page.",

  // While it goes on
  start: "Start",
  startAgain: "Start again",
  starting: "Opening the microphone …",
  pause: "Pause",
  goOn: "Resume",
  stop: "Stop",
  stopping: "Transcribing the last words …",
  recording: "Recording",
  paused: "Paused",
  ended: "Ended",
  level: "Microphone level",
  bigText: "Large text",
  listening: "Listening. The text appears here.",
  toNewest: "Jump to the latest words",
  lag: (span: string) => `The text is ${span} behind. This computer is busy.`,
  quiet: "No audio from this microphone. Is it muted, or is it the wrong one?",
  speaker: (name: string) => `Speaker ${name}`,
  captions: "Captions",
  spoken: "Transcript",

  // What is kept
  recordingOf: (moment: string) => `Live, ${moment}`,
  partOf: (name: string, part: number) => (part === 1 ? name : `${name} (${part})`),
  isKept: "This session is saved as a recording, even if you close this page.",
  openRecording: "Open the recording",
  openPart: (n: number) => `Open part ${n}`,
  whatWasSaid: "the text",

  // Gaps
  lost: (span: string) => `${span} are missing here: the connection was lost.`,
  failed: "Some words are missing here: they could not be transcribed.",
  lineDown: "The connection to scribed was lost.",
  lineDownText: (span: string) => `Reconnecting in ${span}. Up to a minute of audio is buffered.`,
  tryNow: "Try now",
  tryAgain: "Try again",

  // No session
  noSocket: "Could not connect to scribed.",
  noSocketFix: "If there is a proxy, it must allow WebSockets.",
  noVad: "Live transcription needs the model silero-vad.",
  toModels: "Download it under Models",

  // No microphone
  insecure: "Browsers allow microphones only on https and localhost.",
  insecureFix: (address: string) => `Open ${address} on the server itself, or set up a TLS proxy.`,
  refused: "The browser blocks the microphone.",
  refusedFix: "Allow it in the address bar, then try again.",
  none: "No microphone was found.",
  noneFix: "Plug one in, then try again.",
  busy: "The microphone sends no audio. Another program may be using it.",
  busyFix: "Close the other program, then try again.",
  unplugged: "The microphone was disconnected. The session is paused.",
  unpluggedFix: "Reconnect it or choose another one, then resume.",
  unknown: "The microphone could not be opened.",
  unknownFix: "Try another browser, or another microphone.",

  // Big text
  close: "Close",
  smaller: "Smaller text",
  larger: "Larger text",
  fullScreen: "Full screen",
  leaveFullScreen: "Leave full screen",
};
