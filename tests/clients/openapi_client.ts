// Uses scribed by a client that openapi-typescript and openapi-fetch make of its /openapi.json:
// openapi_client.ts URL. The worker is the fake one, which says "Segment N." of every five seconds.
import createClient from "openapi-fetch";
import type { components, paths } from "./scribed.d.ts";

declare const process: { argv: string[]; exitCode: number };

const client = createClient<paths>({ baseUrl: process.argv[2] });
const text = "Segment 0. Segment 1. Segment 2.";

function check(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

// Twelve seconds of silence.
function sound(): File {
  const rate = 16000, bytes = 12 * rate * 2;
  const header = new DataView(new ArrayBuffer(44));
  const put = (place: number, name: string) =>
    [...name].forEach((c, i) => header.setUint8(place + i, c.charCodeAt(0)));
  put(0, "RIFF"); put(8, "WAVEfmt "); put(36, "data");
  header.setUint32(4, 36 + bytes, true);
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, 2 * rate, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  header.setUint32(40, bytes, true);
  return new File([header.buffer, new ArrayBuffer(bytes)], "talk.wav");
}

// The generated types have a string for the bytes of a file.
const file = sound() as unknown as string;

function toForm(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const isText = !(item instanceof File) && typeof item !== "object";
      form.append(name, item instanceof File ? item : isText ? String(item) : JSON.stringify(item));
    }
  }
  return form;
}

async function ended(id: string): Promise<components["schemas"]["Job"]> {
  while (true) {
    const { data } = await client.GET("/v1/jobs/{id}", { params: { path: { id } } });
    check(data !== undefined, id);
    if (data.status !== "queued" && data.status !== "running") return data;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

const spoken = await client.POST("/v1/audio/transcriptions", {
  body: { file, model: "whisper-1", "include[]": ["logprobs"] }, bodySerializer: toForm });
// An answer may be text as well, by its response_format.
check(typeof spoken.data === "object" && spoken.data.text === text, spoken);
check(spoken.data.logprobs?.[0].token === " ", spoken.data.logprobs);

const verbose = await client.POST("/v1/audio/transcriptions", {
  body: { file, model: "whisper-1", response_format: "verbose_json" }, bodySerializer: toForm });
check(typeof verbose.data === "object" && "segments" in verbose.data, verbose);
check(verbose.data.segments?.length === 3, verbose.data);

const accepted = await client.POST("/v1/jobs", {
  body: { file, metadata: { call: "17" }, keep_results_s: 600 }, bodySerializer: toForm });
check(accepted.data !== undefined, accepted);
const job = await ended(accepted.data.id);
check(job.status === "done" && job.metadata.call === "17", job);
const listed = await client.GET("/v1/jobs", { params: { query: { status: "done", q: "segment 2" } } });
check(listed.data?.data.length === 1 && !listed.data.has_more, listed);
const written = await client.GET("/v1/jobs/{id}/transcript", {
  params: { path: { id: job.id }, query: { format: "text" } }, parseAs: "text" });
check(written.data === text + "\n", written);
const deleted = await client.DELETE("/v1/jobs/{id}", { params: { path: { id: job.id } } });
check(deleted.data?.deleted === true, deleted);

const upload = await client.POST("/v1/uploads", { body: { file }, bodySerializer: toForm });
check(upload.data?.filename === "talk.wav", upload);
const uploads = await client.GET("/v1/uploads");
check(uploads.data?.data[0].id === upload.data.id, uploads);

const status = await client.GET("/v1/status");
check(status.data?.ready === true && status.data.models.length === 1, status);
const missing = await client.GET("/v1/models/{model}", { params: { path: { model: "none" } } });
check(missing.error?.error.code === "model_not_found", missing);
console.log("ok");
