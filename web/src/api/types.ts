// Made by web/generate_types.mjs from /openapi.json. Do not edit.

export type Usage = {
  type: "duration";
  seconds: number;
};

export type TokenLogprob = {
  token: string;
  logprob: number;
  bytes: number[];
};

export type Word = {
  word: string;
  start: number;
  end: number;
  probability: number;
};

export type Segment = {
  id: number;
  seek: number;
  start: number;
  end: number;
  text: string;
  tokens: number[];
  temperature: number;
  avg_logprob: number;
  compression_ratio: number;
  no_speech_prob: number;
  language?: string;
  channel?: number;
  speaker?: string;
};

export type Transcription = {
  text: string;
  usage: Usage;
  logprobs?: TokenLogprob[];
};

export type VerboseTranscription = {
  task: string;
  language: string;
  duration: number;
  text: string;
  usage: Usage;
  segments?: Segment[];
  words?: Word[];
  warnings?: string[];
  logprobs?: TokenLogprob[];
};

export type AnyTranscription = VerboseTranscription | Transcription;

export type AnyTranscript = {
  text: string;
  language: string;
  duration: number;
  segments?: Record<string, unknown>[];
};

export type Problem = {
  code: string;
  message: string;
  fix: string | null;
};

export type DeviceFallback = {
  wanted: string;
  code: string;
  reason: string;
};

export type Job = {
  id: string;
  object: "job";
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  title: string | null;
  model: string;
  task: string;
  diarize: boolean;
  language: string | null;
  // Seconds since 1970
  created_at: number | null;
  // Seconds since 1970
  started_at: number | null;
  // Seconds since 1970
  finished_at: number | null;
  // Seconds since 1970
  expires_at: number | null;
  request_id: string | null;
  owner: string;
  attempts: number;
  segments: number;
  device: string | null;
  device_fallback: DeviceFallback | null;
  warnings: string[];
  error: Problem | null;
  // What each speaker is called: the letter, or a name that was given
  speaker_names: Record<string, string>;
  metadata: Record<string, string>;
  // What it is doing
  phase: "queued" | "fetching_model" | "loading_model" | "listening" | "transcribing" | "diarizing" | "ended";
  // Of a job that waits; 1 is the next to begin
  queue_place: number | null;
  // Seconds of sound that were taken in
  listened: number | null;
  // Seconds of sound whose text is decided
  position: number | null;
  // In the phase diarizing: seconds whose voices were heard
  diarized: number | null;
  // Seconds of sound in all, once that is known
  duration: number | null;
  // Of the sound that is decided
  percent: number | null;
  // Times real time, once it is steady
  speed: number | null;
  // Seconds until the end at this speed
  left_s: number | null;
};

export type JobList = {
  object: "list";
  data: Job[];
  has_more: boolean;
};

export type Upload = {
  id: string;
  object: "upload";
  handle: string;
  filename: string;
  bytes: number;
  expires_at: number;
};

export type UploadList = {
  object: "list";
  data: Upload[];
  has_more: boolean;
};

export type Deleted = {
  id: string;
  object: string;
  deleted: boolean;
};

export type Model = {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
};

export type ModelList = {
  object: "list";
  data: Model[];
};

export type Sandbox = {
  active: string[];
  missing: string[];
};

export type Places = {
  windows: number;
  windows_held: number;
  rows: number;
  rows_held: number;
  bytes: number;
};

export type Graphs = {
  recorded: number;
  failures: number;
  off: string | null;
};

export type Kernels = {
  rows: number;
  choice: boolean;
  off: string | null;
};

export type ModelDevice = {
  device: string | null;
  device_name: string | null;
  memory_bytes: number;
  loading: boolean;
  jobs: number;
  places: Places | null;
  graphs: Graphs | null;
  kernels: Kernels | null;
};

export type LoadedModel = {
  name: string;
  device: string | null;
  device_name: string | null;
  device_reason: string | null;
  compute_type: string | null;
  passed_over: string[];
  devices: ModelDevice[];
  sandbox: Sandbox;
  memory_bytes: number;
  load_s: number;
  loading: boolean;
  jobs: number;
  expires_in_s: number | null;
};

export type LoadedModelList = {
  models: LoadedModel[];
};

export type UnloadedModel = {
  name: string;
  unloaded: boolean;
};

export type Front = {
  version: string;
};

export type DetectedLanguage = {
  detected_language?: string;
  language_code?: string;
  confidence?: number;
};

export type Listened = {
  metadata: Record<string, unknown>;
  results: {
    channels: Record<string, unknown>[];
    utterances?: Record<string, unknown>[];
  };
};

export type Inference = {
  text: string;
  task?: string;
  language?: string;
  duration?: number;
  segments?: Record<string, unknown>[];
  detected_language?: string;
  detected_language_probability?: number;
  language_probabilities?: Record<string, unknown>;
};

export type ClientSecret = {
  value: string;
  expires_at: number;
  session: Record<string, unknown>;
};

export type FlatSession = {
  object: "realtime.transcription_session";
  id: string;
  expires_at: number;
  input_audio_format: string;
  input_audio_transcription: Record<string, unknown>;
  input_audio_noise_reduction: Record<string, unknown> | null;
  turn_detection: Record<string, unknown> | null;
  include: unknown[] | null;
  client_secret: {
    value: string;
    expires_at: number;
  };
};

export type Queue = {
  waiting: number;
  running: number;
};

export type Live = {
  enabled: boolean;
  sessions: number;
  max_sessions: number;
  lag_s: number;
  period_s: number;
};

export type Status = {
  version: string;
  ready: boolean;
  default_model: string;
  models: LoadedModel[];
  queue: Queue;
  live: Live;
  problem: string | null;
  last_load_error: Problem | null;
};

export type Health = {
  status: "ok" | "error";
  version: string;
  error?: string;
};

export type Reload = {
  object: "reload";
  keys: number;
  changed: string[];
  need_restart: string[];
};

export type ProtectedResource = {
  resource: string;
  resource_name: string;
  bearer_methods_supported: string[];
  scopes_supported: string[];
  resource_documentation: string;
};

export type JsonRpc = Record<string, unknown>;

export type OpenApi = Record<string, unknown>;

export type Error = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
  };
};
