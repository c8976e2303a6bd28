// What this server can do: its limits, its models, and what it could fetch.

import { signal } from "@preact/signals";

import { get, type Failure } from "../api/client.ts";

// How large and how long a recording may be.
export interface Limits {
  max_upload_bytes: number;
  max_audio_seconds: number;
}

export interface ServerOptions extends Limits {
  default_model: string;
  models: { id: string; languages: string[] }[];
  languages: { code: string; name: string }[];
  formats: string[];
  keeps_audio: boolean;
  tells_speakers: boolean;
  finds_speech: boolean; // so that live sessions have turns
  url_hosts?: string[]; // hosts of addresses that may be sent in place of a file
  defaults?: { vad_filter?: boolean };
}

export interface CatalogModel {
  id: string;
  download_bytes: number | null;
  weights_bytes: number | null;
  installed: boolean;
  pull: { done_bytes: number; total_bytes: number } | null;
}

// Null until they are here.
export const serverOptions = signal<ServerOptions | null>(null);
export const catalog = signal<readonly CatalogModel[]>([]);

export async function loadOptions(): Promise<Failure | null> {
  const answer = await get<ServerOptions>("/v1/options");
  if (!answer.ok) return answer.error;
  serverOptions.value = answer.value;
  return null;
}

// Only who misses a model needs the catalogue; a key may be without the right to read it.
export async function loadCatalog(): Promise<void> {
  const answer = await get<{ data: CatalogModel[] }>("/v1/catalog");
  if (answer.ok) catalog.value = answer.value.data;
}

// Without an answer nothing is refused here; the daemon does it by itself.
export async function limits(): Promise<Limits> {
  if (!serverOptions.peek()) await loadOptions();
  return serverOptions.peek() ?? { max_upload_bytes: Infinity, max_audio_seconds: Infinity };
}

// Whether a model is not here and could be fetched. One that a path names is in no list and may be
// there all the same.
export function isMissing(model: string): boolean {
  const isListed = serverOptions.value?.models.some(({ id }) => id === model) ?? true;
  return !isListed && catalog.value.some(({ id, installed }) => id === model && !installed);
}
