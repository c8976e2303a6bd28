// The sender of this page, with the daemon, the browser's storage and its clock.

import { effect, signal } from "@preact/signals";

import { remove, request, type Result } from "../../api/client.ts";
import { store } from "../../events/events.ts";
import type { Job } from "../../events/types.ts";
import { carry } from "./carrier.ts";
import { rememberedOptions, rememberOptions, type JobOptions, type Memory } from "./job_options.ts";
import { jobList } from "./page_list.ts";
import { probe } from "./probe.ts";
import { Sender } from "./sender.ts";
import { limits } from "./server_facts.ts";
import { beat_ms, UploadBook } from "./upload_book.ts";

const memory: Memory = browserMemory();
const book = new UploadBook(memory, crypto.getRandomValues(new Uint32Array(2)).join("-"));
const keys = { next: 0 };

export const options = signal<JobOptions>(rememberedOptions(memory));

export function chooseOptions(changes: Partial<JobOptions>): void {
  options.value = { ...options.peek(), ...changes };
  rememberOptions(memory, options.peek());
}

// How many files another tab sends.
export const sentElsewhere = signal(0);

export const sender = new Sender({
  book,
  carry,
  probe,
  limits,
  submit,
  forget: (uploadId) => void remove(`/v1/uploads/${uploadId}`),
  offsetOf,
  submitted: (job) => jobList.put(job),
  later: (seconds, run) => void setTimeout(run, seconds * 1000),
  newKey: () => `${book.tab}-${(keys.next += 1)}`,
  now: () => Date.now(),
});

export function startSender(): void {
  sender.recover();
  effect(() => {
    if (store.connection.value.state === "open") sender.daemonCame();
  });
  store.listen((event) => {
    if (event.type === "model.ended" && !event.error) sender.modelCame(event.model);
  });
  const countOthers = () => (sentElsewhere.value = book.elsewhere(Date.now()));
  countOthers();
  setInterval(() => {
    if (sender.sendings.peek().length > 0) book.beat(Date.now());
    countOthers();
  }, beat_ms);
  addEventListener("storage", countOthers);
  addEventListener("pagehide", () => book.leave());
  // Browsers may keep a page that was left, and bring it back as it was.
  addEventListener("pageshow", (event) => {
    if (event.persisted) sender.claim();
  });
  addEventListener("beforeunload", (event) => {
    if (sender.underWay > 0) event.preventDefault();
  });
}

function submit(uploadId: string, fields: [string, string][]): Promise<Result<Job>> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append("upload", `upload://${uploadId}`);
  // The same key makes a repeated request the same job, wherever the first answer was lost.
  return request<Job>("POST", "/v1/jobs", { body: form, headers: { "idempotency-key": `page-${uploadId}` } });
}

async function offsetOf(uploadId: string): Promise<number | null> {
  const headers = { "tus-resumable": "1.0.0" };
  const answer = await request("HEAD", `/v1/uploads/${uploadId}`, { headers }, async () => null);
  const offset = answer.ok ? Number(answer.headers.get("upload-offset")) : NaN;
  return Number.isFinite(offset) ? offset : null;
}

function browserMemory(): Memory {
  try {
    localStorage.getItem("scribed");
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}
