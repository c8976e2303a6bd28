// Where a recording is read from: one's own, or one that somebody shares by a link, which is
// read-only. Both have the same shapes.
import { apiUrl, get, patch, post, request, type Result } from "../../api/client.ts";
import type { Job } from "../../events/types.ts";
import type { Answer } from "./saving/work.ts";
import type { WireSegment } from "./text/segment.ts";

export type Page = { data: WireSegment[]; has_more: boolean; version: number };

export type Source = {
  readonly path: string; // /v1/jobs/ID or /v1/shares/TOKEN
  readonly shared: boolean;
};

export const ownJob = (id: string): Source => ({
  path: `/v1/jobs/${encodeURIComponent(id)}`,
  shared: false,
});

export const sharedJob = (token: string): Source => ({
  path: `/v1/shares/${encodeURIComponent(token)}`,
  shared: true,
});

// The first page is small, so that there is something to read at once.
const first_page = 200;
const full_page = 1000;

export const readJob = (source: Source) => get<Job>(source.path);

export function readPage(source: Source, after: string | null): Promise<Result<Page>> {
  const limit = after === null ? first_page : full_page;
  const behind = after === null ? "" : `&after=${encodeURIComponent(after)}`;
  return get<Page>(`${source.path}/segments?limit=${limit}${behind}`);
}

// All of a version; the newest where none is named.
export async function readText(
  source: Source,
  wanted?: number,
): Promise<{ segments: WireSegment[]; version: number } | null> {
  const segments: WireSegment[] = [];
  for (let after = ""; ; after = `&after=${encodeURIComponent(segments.at(-1)!.id)}`) {
    const named = wanted === undefined ? "" : `&version=${wanted}`;
    const answer = await get<Page>(`${source.path}/segments?limit=${full_page}${after}${named}`);
    if (!answer.ok) return null;
    const { data, has_more, version } = answer.value;
    segments.push(...data);
    if (!has_more || data.length === 0) return { segments, version };
    wanted ??= version; // the next pages are of the same version
  }
}

export const audioUrl = (source: Source) => apiUrl(`${source.path}/audio`);

// `from`: the first bin that is not known yet.
export const readPeaks = (source: Source, from: number) =>
  request("GET", `${source.path}/peaks?from=${from}`, {}, async (response) => ({
    perSecond: Number(response.headers.get("x-peaks-per-second") ?? 10),
    bins: new Uint8Array(await response.arrayBuffer()),
  }));

// Query parameters of a transcript: of documents and plain text, or of subtitles.
export type TranscriptOptions = Record<string, string | boolean>;

// `options`: null for formats without any.
export function transcriptUrl(
  source: Source,
  format: string,
  options: TranscriptOptions | null,
): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(options ?? {})) query.set(name, String(value));
  return apiUrl(`${source.path}/transcript?${query}`);
}

// Sends one piece of work. Names of speakers belong to the job, so they make no version.
export async function save(
  source: Source,
  work: Record<string, unknown>,
  version: number,
): Promise<Result<Answer>> {
  const options = { ifMatch: String(version) };
  if (work.op === "names") {
    const answer = await patch<Job>(source.path, { speaker_names: work.names });
    return answer.ok ? { ...answer, value: { version, changed: [], removed: [] } } : answer;
  }
  if (work.op === "restore") {
    return post(`${source.path}/versions/${Number(work.version)}/restore`, undefined, options);
  }
  return patch(`${source.path}/transcript`, { ops: [work] }, options);
}
