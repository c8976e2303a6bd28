// The sender of this page, with the daemon, the browser's storage and its clock.

import { effect, signal } from "@preact/signals";

import { remove, request, type Result } from "../../../api/client.ts";
import { jobStore } from "../../../events/events.ts";
import type { Job } from "../../../events/types.ts";
import { isMissing, limits, serverOptions } from "../../../state/server_facts.ts";
import { readStored, store } from "../../../state/stored.ts";
import { carry } from "./carrier.ts";
import { probe } from "./probe.ts";
import { Sender } from "./sender.ts";
import { beat_ms, UploadBook } from "./upload_book.ts";

// How many files another tab sends.
export const sentElsewhere = signal(0);

export function startSender(): Sender {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const book = new UploadBook({ getItem: readStored, setItem: store }, tab);
  const keys = { next: 0 };
  const sender = new Sender({
    book,
    carry,
    probe,
    limits,
    isMissing: waitsForModel,
    submit,
    submitted: (job) => jobStore.apply({ type: "job.created", job }),
    forget: (uploadId) => void remove(`/v1/uploads/${uploadId}`),
    offsetOf,
    later: (seconds, run) => void setTimeout(run, seconds * 1000),
    newKey: () => `${tab}-${(keys.next += 1)}`,
    now: () => Date.now(),
  });
  sender.recover();
  followDaemon(sender);
  watchTabs(sender, book);
  return sender;
}

function followDaemon(sender: Sender): void {
  effect(() => {
    if (jobStore.connection.value.state === "open") sender.daemonCame();
  });
  jobStore.listen((event) => {
    const comes = event.type === "model.progress" || (event.type === "model.ended" && !event.error);
    if (comes) sender.modelCame(event.model);
  });
}

// The daemon takes jobs of a model that is being fetched.
function waitsForModel(model: string): boolean {
  const name = model || (serverOptions.peek()?.default_model ?? "");
  return isMissing(name) && !jobStore.pulls.peek().has(name);
}

// Other tabs learn what this one sends, and this one what they have left behind.
function watchTabs(sender: Sender, book: UploadBook): void {
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
  const headers = { "idempotency-key": `page-${uploadId}` };
  return request<Job>("POST", "/v1/jobs", { body: form, headers });
}

async function offsetOf(uploadId: string): Promise<number | null> {
  const headers = { "tus-resumable": "1.0.0" };
  const answer = await request("HEAD", `/v1/uploads/${uploadId}`, { headers }, async () => null);
  const offset = answer.ok ? Number(answer.headers.get("upload-offset")) : NaN;
  return Number.isFinite(offset) ? offset : null;
}
