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
  encoder_window?: "full" | "short" | "checked";
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

export type KeptSound = {
  bytes: number;
  seconds: number;
  whole: boolean;
};

export type Job = {
  id: string;
  object: "job";
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  title: string | null;
  filename: string | null;
  pinned: boolean;
  model: string;
  task: string;
  diarize: boolean;
  live: boolean;
  priority: "normal" | "bulk";
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
  version: number;
  device: string | null;
  device_fallback: DeviceFallback | null;
  warnings: string[];
  error: Problem | null;
  // Name of each speaker: the letter, or a given name
  speaker_names: Record<string, string>;
  has_audio: boolean;
  audio: KeptSound | null;
  metadata: Record<string, string>;
  // What it is doing
  phase: "queued" | "fetching_model" | "loading_model" | "listening" | "transcribing" | "diarizing" | "ended";
  // Position of a queued job; 1 is next
  queue_place: number | null;
  // Seconds of audio that were read
  listened: number | null;
  // Seconds of audio that are transcribed
  position: number | null;
  // In the phase diarizing: seconds whose voices are processed
  diarized: number | null;
  // Total seconds of audio, once known
  duration: number | null;
  // Position of the transcribed audio
  percent: number | null;
  // Times real time, once it is steady
  speed: number | null;
  // Seconds until the end at this speed
  left_s: number | null;
  matches?: TextMatch[];
};

export type JobList = {
  object: "list";
  data: Job[];
  has_more: boolean;
};

export type TextWord = [string, number, number, number];

export type TextSegment = {
  id: string;
  start: number;
  end: number;
  text: string;
  confidence: number;
  speaker: string | null;
  words: TextWord[];
  language?: string;
  channel?: number;
};

export type TextPage = {
  object: "list";
  data: TextSegment[];
  has_more: boolean;
  version: number;
};

export type TextChange = {
  version: number;
  changed: TextSegment[];
  removed: string[];
  segments: number;
  speaker_names: Record<string, string>;
  replaced: number;
};

export type TextVersion = {
  version: number;
  created_at: number | null;
  ops: Record<string, number>;
  restored: number | null;
};

export type TextVersionList = {
  object: "list";
  data: TextVersion[];
  has_more: boolean;
  version: number;
};

export type TextMatch = {
  segment: string;
  start: number;
  text: string;
  spans: number[][];
};

export type Upload = {
  id: string;
  object: "upload";
  handle: string;
  filename: string;
  bytes: number;
  received_bytes: number;
  complete: boolean;
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
  encoder_window: string | null;
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

export type SoundUse = {
  keeps: boolean;
  bytes: number;
  jobs: number;
};

export type Status = {
  version: string;
  ready: boolean;
  default_model: string;
  models: LoadedModel[];
  queue: Queue;
  live: Live;
  sound: SoundUse;
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

export type VersionConflict = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
  };
  version: number;
};

export type Error = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
  };
};

export type Session = {
  name: string | null;
  rights: ("transcribe" | "read_status" | "manage" | "back_up")[];
  keys_required: boolean;
  ends_at: number | null;
};

export type KeyProofs = {
  keys_required: boolean;
  proofs: string[];
};

export type Share = {
  id: string;
  created_at: number;
  ends_at: number;
};

export type NewShare = {
  id: string;
  created_at: number;
  ends_at: number;
  token: string;
  url: string;
};

export type ShareList = {
  data: Share[];
};

export type ModelChoice = {
  id: string;
  languages: string[];
};

export type LanguageChoice = {
  code: string;
  name: string;
};

export type DefaultOptions = {
  language: string | null;
  task: string;
  word_timestamps: boolean;
  vad_filter: boolean;
  diarize: boolean;
};

export type Interfaces = {
  live: boolean;
  realtime: boolean;
  deepgram: boolean;
  jigasi: boolean;
  asr: boolean;
  whisper_cpp: boolean;
  mcp: boolean;
};

export type Options = {
  version: string;
  max_upload_bytes: number;
  max_body_bytes: number;
  max_audio_seconds: number;
  default_model: string;
  models: ModelChoice[];
  formats: string[];
  languages: LanguageChoice[];
  keeps_s: number;
  max_keeps_s: number;
  keeps_audio: boolean;
  tells_speakers: boolean;
  finds_speech: boolean;
  url_hosts: string[];
  defaults: DefaultOptions;
  interfaces: Interfaces;
};

export type OwnerStorage = {
  owner: string;
  used_bytes: number;
  limit_bytes: number | null;
  audio_bytes: number;
  transcript_bytes: number;
  upload_bytes: number;
};

export type ServerStorage = {
  used_bytes: number;
  limit_bytes: number | null;
  free_bytes: number;
  min_free_bytes: number;
};

export type Storage = {
  object: "storage";
  owner: string;
  used_bytes: number;
  limit_bytes: number | null;
  audio_bytes: number;
  transcript_bytes: number;
  upload_bytes: number;
  shared_jobs: string[];
  server: ServerStorage | null;
  owners: OwnerStorage[] | null;
};

export type PullState = {
  done_bytes: number;
  total_bytes: number | null;
};

export type CatalogModel = {
  id: string;
  aliases: string[];
  use: "transcription" | "speech_detection" | "speaker_recognition";
  parameters: string | null;
  languages: string[];
  download_bytes: number | null;
  weights_bytes: number | null;
  licence: string | null;
  source: string | null;
  installed: boolean;
  bytes: number | null;
  damaged: string | null;
  loaded: boolean;
  jobs: number;
  default: boolean;
  pull: PullState | null;
};

export type Catalog = {
  data: CatalogModel[];
};

export type PullBegun = {
  model: string;
  total_bytes: number | null;
};

export type PullStopped = {
  model: string;
  stopped: boolean;
};

export type AlignmentHeads = {
  source: "model" | "architecture";
  count: number | null;
  left_out: boolean;
};

export type ModelFacts = {
  format: string;
  writer: string | null;
  numbers: Record<string, number>;
  parameters: number;
  dims: Record<string, number>;
  multilingual: boolean;
  languages: string[];
  tokens_from: string[];
  alignment_heads: AlignmentHeads;
  notes: string[];
};

export type AdapterFacts = {
  writer: string | null;
  layers: number;
  rank: number;
  numbers: Record<string, number>;
};

export type Refusal = {
  code: string;
  message: string;
  fix: string;
};

export type ModelFile = {
  name: string;
  bytes: number;
};

export type LeftOutFile = {
  name: string;
  why: string;
};

export type MemoryOfType = {
  device: string;
  compute_type: string;
  bytes: number;
};

export type ModelReport = {
  id: string;
  usable: boolean;
  refusal: Refusal | null;
  model: ModelFacts | null;
  adapter: AdapterFacts | null;
  name: string | null;
  vocabulary_of: string | null;
  bytes: number;
  files: ModelFile[];
  left_out: LeftOutFile[];
  memory: MemoryOfType[];
};

export type StatusModel = {
  name: string;
  device: string | null;
  compute_type: string | null;
  loading: boolean;
};

export type JobEvent = {
  type: "job.created" | "job.progress" | "job.ended" | "job.edited";
  job: Job;
};

export type JobDeleted = {
  type: "job.deleted";
  job: {
    id: string;
  };
};

export type ModelProgress = {
  type: "model.progress";
  model: string;
  done_bytes: number;
  total_bytes: number | null;
};

export type ModelEnded = {
  type: "model.ended";
  model: string;
  error: Problem | null;
};

export type ModelRemoved = {
  type: "model.removed";
  model: string;
};

export type StatusEvent = {
  type: "status";
  ready: boolean;
  problem: string | null;
  waiting: number | null;
  running: number | null;
  loaded: StatusModel[] | null;
};

export type Reset = {
  type: "reset";
};

export type PageEvent = JobEvent | JobDeleted | ModelProgress | ModelEnded | ModelRemoved | StatusEvent | Reset;

export type Doctor = Record<string, unknown>;
