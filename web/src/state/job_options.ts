// What somebody wants of the next recordings, and how a job is told so. The browser remembers it.

export interface JobOptions {
  // A code, or "auto".
  language: string;
  // Empty: the daemon's default.
  model: string;
  // Whether speakers are told apart, and how many there are; "auto" finds out.
  speakers: "off" | "auto" | number;
  // The number of the audio track, counted from 1; 0: the main one. It is not remembered: the next file may have one.
  audioTrack: number;
  wordTimes: boolean;
  translate: boolean;
  // What the button of a finished recording saves.
  format: string;
}

export const first_options: JobOptions = {
  language: "auto",
  model: "",
  speakers: "off",
  audioTrack: 0,
  wordTimes: true,
  translate: false,
  format: "txt",
};

const key = "options";

export type Memory = Pick<Storage, "getItem" | "setItem">;

export function rememberedOptions(memory: Memory): JobOptions {
  try {
    const kept: unknown = JSON.parse(memory.getItem(key) ?? "{}");
    return { ...first_options, ...validOptions(kept) };
  } catch {
    return first_options;
  }
}

export function rememberOptions(memory: Memory, options: JobOptions): void {
  try {
    memory.setItem(key, JSON.stringify({ ...options, audioTrack: undefined }));
  } catch {
    // A browser that keeps nothing for this page forgets the options, too.
  }
}

// What was kept by another version of the page may have other fields: only those that fit count.
function validOptions(kept: unknown): Partial<JobOptions> {
  if (typeof kept !== "object" || kept === null) return {};
  const valid: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(kept)) {
    const first = first_options[name as keyof JobOptions];
    if (typeof value === typeof first || (name === "speakers" && isCount(value))) valid[name] = value;
  }
  if (valid.speakers !== undefined && !isSpeakers(valid.speakers)) delete valid.speakers;
  return valid as Partial<JobOptions>;
}

function isSpeakers(value: unknown): boolean {
  return value === "off" || value === "auto" || isCount(value);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 20;
}

// The fields of POST /v1/jobs, in the order of docs/api.md.
export function jobFields(options: JobOptions): [string, string][] {
  const fields: [string, string][] = [];
  if (options.model) fields.push(["model", options.model]);
  if (options.language !== "auto") fields.push(["language", options.language]);
  if (options.translate) fields.push(["task", "translate"]);
  if (options.wordTimes) fields.push(["word_timestamps", "true"]);
  if (options.speakers !== "off") fields.push(["diarize", "true"]);
  if (typeof options.speakers === "number") fields.push(["num_speakers", `${options.speakers}`]);
  if (options.audioTrack > 0) fields.push(["audio_track", `${options.audioTrack}`]);
  return fields;
}
