import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "../../../../src/api/client.ts";
import type { Reports } from "../../../../src/screens/recordings/sending/carrier.ts";
import { first_options } from "../../../../src/state/job_options.ts";
import type { Probed } from "../../../../src/screens/recordings/sending/probe.ts";
import { nextToSend, type SendState } from "../../../../src/screens/recordings/sending/send_state.ts";
import { Sender } from "../../../../src/screens/recordings/sending/sender.ts";
import { UploadBook } from "../../../../src/screens/recordings/sending/upload_book.ts";
import { job } from "../../../events/jobs.ts";
import { MemoryOfTest } from "../../../state/memory.ts";

interface Carried extends Reports {
  name: string;
  uploadId: string | null;
  isStopped: boolean;
}

// A sender whose line, daemon and clock are in the test's hands.
class Scene {
  readonly carried: Carried[] = [];
  readonly submitted: string[] = [];
  readonly forgotten: string[] = [];
  readonly later: (() => void)[] = [];
  refusal: Failure | null = null;
  offset: number | null = null;
  isMissing = false;
  probed: Probed = { duration_s: null, hasSound: null };
  readonly memory: MemoryOfTest;
  readonly sender: Sender;
  private keys = 0;

  constructor(memory = new MemoryOfTest(), tab = "tab") {
    this.memory = memory;
    this.sender = new Sender({
      book: new UploadBook(memory, tab),
      carry: ({ name, uploadId }, reports) => {
        const one: Carried = { ...reports, name, uploadId, isStopped: false };
        this.carried.push(one);
        return { stop: () => (one.isStopped = true) };
      },
      probe: async () => this.probed,
      limits: async () => ({ max_upload_bytes: 1000, max_audio_seconds: 60 }),
      isMissing: () => this.isMissing,
      submit: async (uploadId) => {
        if (this.refusal) return { ok: false, error: this.refusal };
        this.submitted.push(uploadId);
        return { ok: true, value: job({ id: `job-of-${uploadId}` }), etag: null, headers: new Headers() };
      },
      forget: (uploadId) => this.forgotten.push(uploadId),
      offsetOf: async () => this.offset,
      submitted: () => undefined,
      later: (_, run) => this.later.push(run),
      newKey: () => `${tab}-${(this.keys += 1)}`,
      now: () => 0,
    });
  }

  async take(...files: File[]) {
    const taken = await this.sender.take(files, first_options);
    await settle();
    return taken;
  }

  states(): SendState["kind"][] {
    return this.sender.sendings.peek().map((one) => one.peek().state.kind);
  }

  line(name: string): Carried {
    return this.carried.findLast((one) => one.name === name)!;
  }

  async arrives(name: string): Promise<void> {
    this.line(name).begun(`u-${name}`);
    this.line(name).whole();
    await settle();
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

const file = (name: string, size = 10) => new File([new Uint8Array(size)], name, { lastModified: 1 });

const failure = (code: string, status: number): Failure => ({ code, status, message: `It is ${code}.` });

test("two are sent at a time, in the order in which they were dropped", async () => {
  const scene = new Scene();
  await scene.take(file("a.wav"), file("b.wav"), file("c.wav"));
  assert.deepEqual(scene.carried.map(({ name }) => name), ["a.wav", "b.wav"]);
  assert.deepEqual(scene.states(), ["sending", "sending", "waiting"]);
  await scene.arrives("a.wav");
  assert.deepEqual(scene.submitted, ["u-a.wav"]);
  assert.deepEqual(scene.carried.map(({ name }) => name), ["a.wav", "b.wav", "c.wav"]);
  assert.deepEqual(scene.forgotten, ["u-a.wav"], "the job has its own copy");
});

test("what is busy counts, what waits for a person does not", () => {
  const states = (...kinds: SendState["kind"][]) => kinds.map((kind) => ({ state: { kind } as SendState }));
  assert.deepEqual(nextToSend(states("file_wanted", "waiting", "refused", "waiting", "waiting")), [1, 3]);
  assert.deepEqual(nextToSend(states("broken", "waiting", "waiting")), [1]);
  assert.deepEqual(nextToSend(states("checking", "submitting", "waiting")), []);
});

test("what holds no sound, nothing, or too much is not sent", async () => {
  const scene = new Scene();
  const taken = await scene.take(file("notes.pdf"), file("empty.wav", 0), file("long.wav", 2000), file("good.wav"));
  assert.deepEqual(taken, { sent: 1, others: ["notes.pdf"], empty: ["empty.wav"] });
  assert.deepEqual(scene.states(), ["too_large", "sending"]);
  scene.probed = { duration_s: 61, hasSound: true };
  await scene.take(file("hour.mp3"));
  scene.probed = { duration_s: 3, hasSound: false };
  await scene.take(file("mute.mp4"));
  assert.deepEqual(scene.states(), ["too_large", "sending", "too_long", "silent"]);
  assert.deepEqual(scene.carried.map(({ name }) => name), ["good.wav"]);
});

test("who stops one that is sent makes room for the next", async () => {
  const scene = new Scene();
  await scene.take(file("a.wav"), file("b.wav"), file("c.wav"));
  scene.line("a.wav").begun("u1");
  scene.sender.drop(scene.sender.sendings.peek()[0]!.peek().key);
  await settle();
  assert.ok(scene.line("a.wav").isStopped);
  assert.deepEqual(scene.forgotten, ["u1"]);
  assert.deepEqual(scene.states(), ["sending", "sending"]);
});

test("after a reload the same file goes on with its upload, and another one is new", async () => {
  const before = new Scene();
  await before.take(file("a.wav"), file("b.wav"), file("c.wav"));
  before.line("a.wav").begun("u1");
  new UploadBook(before.memory, "tab").leave();

  const after = new Scene(before.memory, "next");
  after.offset = 4;
  after.sender.recover();
  await settle();
  assert.deepEqual(after.states(), ["file_wanted", "file_wanted", "file_wanted"]);
  assert.equal(after.sender.sendings.peek()[0]!.peek().sent, 4);
  await after.take(file("a.wav"), file("d.wav"));
  assert.deepEqual(after.carried.map(({ name, uploadId }) => [name, uploadId]), [["a.wav", "u1"], ["d.wav", null]]);
  assert.deepEqual(after.states(), ["sending", "file_wanted", "file_wanted", "sending"]);
});

test("a file that was whole before a reload needs no file to become a job", async () => {
  const before = new Scene();
  before.refusal = failure("unreachable", 0);
  await before.take(file("a.wav"));
  await before.arrives("a.wav");
  assert.deepEqual(before.states(), ["broken"]);
  new UploadBook(before.memory, "tab").leave();

  const after = new Scene(before.memory, "next");
  after.sender.recover();
  await settle();
  assert.deepEqual(after.submitted, ["u-a.wav"]);
  assert.deepEqual(after.states(), []);
  assert.deepEqual(new UploadBook(after.memory, "x").entries(), []);
});

test("a daemon that is away, or full, is asked again later", async () => {
  const scene = new Scene();
  await scene.take(file("a.wav"));
  scene.line("a.wav").begun("u1");
  scene.line("a.wav").failed(failure("unreachable", 0));
  assert.deepEqual(scene.states(), ["broken"]);
  scene.later.shift()!();
  await settle();
  assert.deepEqual(scene.carried.map(({ uploadId }) => uploadId), [null, "u1"]);
  scene.line("a.wav").failed(failure("too_many_bytes", 429));
  assert.equal(scene.sender.sendings.peek()[0]!.peek().state.kind, "broken");
  scene.sender.daemonCame();
  await settle();
  assert.deepEqual(scene.states(), ["sending"]);
  scene.line("a.wav").broken(null);
  scene.later.shift()!();
  await settle();
  assert.equal(scene.carried.length, 3, "a wait that is over begins nothing a second time");
});

test("a refusal stays until somebody tries again", async () => {
  const scene = new Scene();
  await scene.take(file("a.wav"));
  scene.line("a.wav").failed(failure("out_of_disk", 507));
  assert.deepEqual(scene.states(), ["refused"]);
  assert.deepEqual(scene.later, []);
  scene.sender.retry(scene.sender.sendings.peek()[0]!.peek().key);
  await settle();
  assert.deepEqual(scene.states(), ["sending"]);
});

test("what is whole waits for its model, and becomes a job when that is there", async () => {
  const scene = new Scene();
  scene.refusal = failure("model_not_found", 404);
  await scene.take(file("a.wav"));
  await scene.arrives("a.wav");
  assert.deepEqual(scene.states(), ["needs_model"]);
  scene.refusal = null;
  scene.sender.modelCame("base");
  await settle();
  assert.deepEqual(scene.submitted, ["u-a.wav"]);
});

test("a job is not asked for while its model is missing, and others are sent meanwhile", async () => {
  const scene = new Scene();
  scene.isMissing = true;
  await scene.take(file("a.wav"), file("b.wav"), file("c.wav"));
  await scene.arrives("a.wav");
  assert.deepEqual(scene.states(), ["needs_model", "sending", "sending"]);
  scene.isMissing = false;
  scene.sender.modelCame("base");
  await settle();
  assert.deepEqual(scene.submitted, ["u-a.wav"]);
});

test("an upload that the daemon has forgotten begins anew", async () => {
  const scene = new Scene();
  scene.refusal = failure("upload_not_found", 404);
  await scene.take(file("a.wav"));
  await scene.arrives("a.wav");
  await settle();
  assert.deepEqual(scene.carried.map(({ uploadId }) => uploadId), [null, null]);
  assert.deepEqual(scene.states(), ["sending"]);
});
