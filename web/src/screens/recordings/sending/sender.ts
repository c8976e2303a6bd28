// Sends files to the daemon, some at a time, and makes a job of each that has come.

import { signal, type ReadonlySignal, type Signal } from "@preact/signals";

import type { Failure, Result } from "../../../api/client.ts";
import { Pace } from "../../../events/pace.ts";
import type { Job } from "../../../events/types.ts";
import type { Limits } from "../../../state/server_facts.ts";
import type { Carrier, Carrying } from "./carrier.ts";
import { jobFields, type JobOptions } from "../../../state/job_options.ts";
import { judge } from "./judge.ts";
import type { Probed } from "./probe.ts";
import { comesAgain, isUnderWay, nextToSend, type Sending, type SendState } from "./send_state.ts";
import { isSameFile, type BookEntry, type UploadBook } from "./upload_book.ts";

export interface SenderParts {
  book: UploadBook;
  carry: Carrier;
  probe: (file: File) => Promise<Probed>;
  limits: () => Promise<Limits>;
  // Whether a job of this model has to wait until somebody has it fetched.
  isMissing: (model: string) => boolean;
  submit: (uploadId: string, fields: [string, string][]) => Promise<Result<Job>>;
  forget: (uploadId: string) => void;
  // How far an upload is, null where it is not there any more or nobody answers.
  offsetOf: (uploadId: string) => Promise<number | null>;
  submitted: (job: Job) => void;
  // Calls `run` later; the daemon may be back by then.
  later: (seconds: number, run: () => void) => void;
  newKey: () => string;
  now: () => number;
}

export interface Taken {
  // How many are sent, those that go on included.
  sent: number;
  // Names of what holds no sound, or nothing at all.
  others: string[];
  empty: string[];
}

const again_s = 10;

export class Sender {
  private readonly parts: SenderParts;
  private readonly all = signal<readonly Signal<Sending>[]>([]);
  private readonly carryings = new Map<string, Carrying>();

  constructor(parts: SenderParts) {
    this.parts = parts;
  }

  get sendings(): ReadonlySignal<readonly ReadonlySignal<Sending>[]> {
    return this.all;
  }

  get underWay(): number {
    return this.all.peek().filter((one) => isUnderWay(one.peek().state)).length;
  }

  // Takes over what was being sent before a reload.
  recover(): void {
    const found = this.parts.book.takeOrphans(this.parts.now());
    if (found.length === 0) return;
    this.all.value = [...this.all.peek(), ...found.map((one) => signal(recovered(one)))];
    for (const one of found) {
      if (one.whole) void this.submit(one.key);
      else void this.learnOffset(one);
    }
  }

  // Says anew that this tab has what it sends, after it was taken for closed.
  claim(): void {
    const now = this.parts.now();
    for (const one of this.all.peek()) {
      this.parts.book.change(one.peek().key, { tab: this.parts.book.tab, seen: now });
    }
  }

  // Takes files that were dropped or chosen, and returns which of them hold no sound. A file that
  // was being sent before a reload goes on from where it stopped.
  async take(files: readonly File[], options: JobOptions): Promise<Taken> {
    const limits = await this.parts.limits();
    const taken: Taken = { sent: 0, others: [], empty: [] };
    const fresh: Sending[] = [];
    for (const file of files) {
      if (this.resume(file)) {
        taken.sent += 1;
        continue;
      }
      const verdict = judge(file, limits);
      if (verdict === "no_recording") taken.others.push(file.name);
      else if (verdict === "empty") taken.empty.push(file.name);
      else fresh.push(this.fresh(file, options, verdict === "too_large" ? limits : null));
    }
    const good = fresh.filter((one) => one.state.kind === "waiting");
    taken.sent += good.length;
    this.parts.book.add(good.map(entryOf), this.parts.now());
    this.all.value = [...this.all.peek(), ...fresh.map((one) => signal(one))];
    this.fill();
    return taken;
  }

  // Stops it, and forgets what the daemon has of it.
  drop(key: string): void {
    this.carryings.get(key)?.stop();
    this.carryings.delete(key);
    const uploadId = this.find(key)?.peek().uploadId;
    if (uploadId) this.parts.forget(uploadId);
    this.remove(key);
    this.fill();
  }

  retry(key: string): void {
    const one = this.find(key)?.peek();
    if (!one) return;
    if (one.whole) void this.submit(key);
    else this.setState(key, one.file ? { kind: "waiting" } : { kind: "file_wanted" });
    this.fill();
  }

  // The model is there now, or on its way: what waited for it goes on.
  modelCame(model: string): void {
    for (const one of this.all.peek()) {
      const { key, state } = one.peek();
      const isWanted = state.kind === "needs_model" && (state.model === model || state.model === "");
      if (isWanted) void this.submit(key);
    }
  }

  // What waits for the daemon to come back need not wait any longer.
  daemonCame(): void {
    for (const one of this.all.peek()) {
      const { key, state } = one.peek();
      if (state.kind === "broken" && !this.carryings.has(key)) this.retry(key);
    }
  }

  private fresh(file: File, options: JobOptions, exceeded: Limits | null): Sending {
    const state: SendState = exceeded
      ? { kind: "too_large", limit: exceeded.max_upload_bytes }
      : { kind: "waiting" };
    return {
      key: this.parts.newKey(), name: file.name, size: file.size, modified: file.lastModified,
      options, file, uploadId: null, sent: 0, whole: false, state,
    };
  }

  private resume(file: File): boolean {
    const identity = { name: file.name, size: file.size, modified: file.lastModified };
    const same = this.all.peek().find((one) => {
      const { state } = one.peek();
      return state.kind === "file_wanted" && isSameFile(one.peek(), identity);
    });
    if (!same) return false;
    same.value = { ...same.peek(), file, state: { kind: "waiting" } };
    return true;
  }

  private async learnOffset({ key, uploadId }: BookEntry): Promise<void> {
    const sent = uploadId ? await this.parts.offsetOf(uploadId) : null;
    if (sent !== null && this.find(key)?.peek().state.kind === "file_wanted") this.change(key, { sent });
  }

  private fill(): void {
    for (const place of nextToSend(this.all.peek().map((one) => one.peek()))) {
      void this.send(this.all.peek()[place]!.peek().key);
    }
  }

  private async send(key: string): Promise<void> {
    const one = this.find(key)?.peek();
    if (!one?.file) return;
    this.setState(key, { kind: "checking" });
    const problem = one.sent > 0 ? null : await this.problemOf(one.file);
    if (!this.find(key)) return;
    if (problem) {
      this.setState(key, problem);
      this.parts.book.remove(key);
      return this.fill();
    }
    this.carry(key, one.file);
  }

  // What the browser can tell of a file that the daemon would refuse.
  private async problemOf(file: File): Promise<SendState | null> {
    const limit = (await this.parts.limits()).max_audio_seconds;
    const { duration_s, hasSound } = await this.parts.probe(file);
    if (hasSound === false) return { kind: "silent" };
    if (duration_s !== null && duration_s > limit) return { kind: "too_long", seconds: duration_s, limit };
    return null;
  }

  private carry(key: string, file: File): void {
    const pace = new Pace();
    const one = this.find(key)!.peek();
    this.setState(key, { kind: "sending", perSecond: null });
    const carrying = this.parts.carry(
      { file, name: one.name, uploadId: one.uploadId },
      {
        begun: (uploadId) => this.note(key, { uploadId }),
        progress: (sent) => {
          pace.add(this.parts.now(), sent);
          this.change(key, { sent, state: { kind: "sending", perSecond: pace.perSecond } });
        },
        broken: (why) => this.setState(key, { kind: "broken", why }),
        whole: () => {
          this.carryings.delete(key);
          this.note(key, { whole: true, sent: one.size });
          void this.submit(key);
        },
        failed: (error) => {
          this.carryings.delete(key);
          this.fail(key, error);
        },
      },
    );
    this.carryings.set(key, carrying);
  }

  private async submit(key: string): Promise<void> {
    const one = this.find(key)?.peek();
    if (!one?.uploadId) return;
    const { model } = one.options;
    if (this.parts.isMissing(model)) {
      this.setState(key, { kind: "needs_model", model });
      return this.fill();
    }
    this.setState(key, { kind: "submitting" });
    const answer = await this.parts.submit(one.uploadId, jobFields(one.options));
    if (!this.find(key)) return;
    if (!answer.ok) return this.fail(key, answer.error);
    this.parts.forget(one.uploadId);
    this.parts.submitted(answer.value);
    this.remove(key);
    this.fill();
  }

  private fail(key: string, error: Failure): void {
    const one = this.find(key)?.peek();
    if (!one) return;
    if (error.code === "model_not_found") {
      this.setState(key, { kind: "needs_model", model: one.options.model });
    } else if (error.code === "upload_not_found") {
      this.note(key, { uploadId: null, whole: false, sent: 0 });
      this.setState(key, one.file ? { kind: "waiting" } : { kind: "file_wanted" });
    } else if (comesAgain(error)) {
      this.setState(key, { kind: "broken", why: error.status === 0 ? null : error.message });
      this.parts.later(again_s, () => this.retryBroken(key));
    } else {
      this.setState(key, { kind: "refused", error });
    }
    this.fill();
  }

  private retryBroken(key: string): void {
    if (this.find(key)?.peek().state.kind === "broken" && !this.carryings.has(key)) this.retry(key);
  }

  private find(key: string): Signal<Sending> | undefined {
    return this.all.peek().find((one) => one.peek().key === key);
  }

  private change(key: string, changes: Partial<Sending>): void {
    const one = this.find(key);
    if (one) one.value = { ...one.peek(), ...changes };
  }

  private setState(key: string, state: SendState): void {
    this.change(key, { state });
  }

  // A change that has to outlive the page.
  private note(key: string, changes: Partial<Pick<BookEntry, "uploadId" | "whole" | "sent">>): void {
    this.change(key, changes);
    this.parts.book.change(key, changes);
  }

  private remove(key: string): void {
    this.parts.book.remove(key);
    this.all.value = this.all.peek().filter((one) => one.peek().key !== key);
  }
}

function entryOf(one: Sending): Omit<BookEntry, "tab" | "seen"> {
  const { key, name, size, modified, options, uploadId, sent, whole } = one;
  return { key, name, size, modified, options, uploadId, sent, whole };
}

function recovered(entry: BookEntry): Sending {
  const state: SendState = entry.whole ? { kind: "submitting" } : { kind: "file_wanted" };
  return { ...entry, file: null, state };
}
