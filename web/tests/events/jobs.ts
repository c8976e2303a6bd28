import type { Job } from "../../src/events/types.ts";

// A job as the daemon tells of it, with what a test is about.
export function job(changes: Partial<Job> & { id: string }): Job {
  return {
    object: "job", filename: "talk.wav", pinned: false, version: 0, live: false, has_audio: false, audio: null, status: "queued", title: "talk.wav", model: "base", task: "transcribe", diarize: false, priority: "normal",
    language: null, created_at: 100, started_at: null, finished_at: null, expires_at: null, request_id: null,
    owner: "local", attempts: 1, segments: 0, device: null, device_fallback: null, warnings: [], error: null,
    speaker_names: {}, metadata: {}, phase: "queued", queue_place: null, listened: 0, position: 0, diarized: null,
    duration: null, percent: null, speed: null, left_s: null,
    ...changes,
  };
}

export const running = (changes: Partial<Job> & { id: string }) =>
  job({ status: "running", phase: "transcribing", ...changes });

export const done = (changes: Partial<Job> & { id: string }) =>
  job({ status: "done", phase: "ended", percent: 100, ...changes });
