// Sends what waits, one entry after the other, and says how that goes.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Failure, Result } from "../../../api/client.ts";
import type { Editor, Entry } from "./editor.ts";
import type { Answer } from "./work.ts";

export type SaveState =
  | { is: "saved" }
  | { is: "saving" }
  | { is: "unsaved"; failure: Failure } // it is tried again by itself
  | { is: "refused"; failure: Failure } // it would be refused again
  | { is: "conflict" }; // the text was changed elsewhere

// Whether the newest version of the text is what this entry has made; it is taken over then.
export type Recognise = (entry: Entry) => Promise<boolean>;

export type Send = (work: Record<string, unknown>, version: number) => Promise<Result<Answer>>;

// Words are sent when nothing was typed for so long, and while somebody types on and on.
const pause_ms = 450;
const longest_ms = 2000;
const waits_s = [1, 2, 4, 8, 15, 30];

export class Saver {
  private readonly editor: Editor;
  private readonly send: Send;
  private readonly recognise: Recognise;
  private readonly now: () => number;
  private readonly told = signal<SaveState>({ is: "saved" });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;
  private failures = 0;
  private typedEntry: Entry | null = null;
  private typedSince = 0;

  constructor(editor: Editor, send: Send, recognise: Recognise, now: () => number = Date.now) {
    this.editor = editor;
    this.send = send;
    this.recognise = recognise;
    this.now = now;
  }

  readonly state: ReadonlySignal<SaveState> = this.told;

  // To be called after each change of the editor.
  changed(): void {
    const entries = this.editor.pending.peek();
    if (entries.length === 0 || this.isStuck()) return this.settle();
    if (this.told.peek().is === "saved") this.told.value = { is: "saving" };
    if (this.busy || this.told.peek().is === "unsaved") return;
    this.schedule(entries.length === 1 ? this.waitFor(entries[0]!) : 0);
  }

  // Sends at once: somebody asked for it, or leaves.
  saveNow(): void {
    if (!this.busy && !this.isStuck()) this.schedule(0);
  }

  // After a conflict or a refusal was decided on.
  goOn(): void {
    this.told.value = { is: this.editor.pending.peek().length > 0 ? "saving" : "saved" };
    this.changed();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private isStuck(): boolean {
    const { is } = this.told.peek();
    return is === "conflict" || is === "refused";
  }

  // Undo may have taken away all that waited.
  private settle(): void {
    if (this.busy || this.isStuck()) return;
    clearTimeout(this.timer);
    this.failures = 0;
    this.told.value = { is: "saved" };
  }

  private waitFor(entry: Entry): number {
    if (entry.work.op !== "text") return 0;
    if (this.typedEntry !== entry) {
      this.typedEntry = entry;
      this.typedSince = this.now();
    }
    return Math.max(0, Math.min(pause_ms, this.typedSince + longest_ms - this.now()));
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), ms);
  }

  private async run(): Promise<void> {
    if (this.busy || this.isStuck()) return;
    this.busy = true;
    for (let next = this.editor.next(); next; next = this.editor.next()) {
      const answer = await this.send(next.work, next.version);
      if (answer.ok) this.editor.answered(next.entry, answer.value);
      else if (!(await this.isDone(next.entry, answer.error))) {
        this.failed(answer.error);
        break;
      }
      this.failures = 0;
      this.told.value = { is: "saving" };
      if (this.isTyped()) break;
    }
    this.busy = false;
    this.changed();
  }

  // A daemon that ended before it could answer may have saved what it then refuses as too late.
  private async isDone(entry: Entry, failure: Failure): Promise<boolean> {
    return failure.status === 412 && (entry.tries ?? 0) > 1 && (await this.recognise(entry));
  }

  // Words that are being typed wait for the next pause.
  private isTyped(): boolean {
    const [first, ...more] = this.editor.pending.peek();
    return more.length === 0 && first?.work.op === "text";
  }

  private failed(failure: Failure): void {
    if (failure.status === 412) this.told.value = { is: "conflict" };
    else if (isFinal(failure)) this.told.value = { is: "refused", failure };
    else {
      const wait = waits_s[Math.min(this.failures, waits_s.length - 1)]!;
      this.failures += 1;
      this.told.value = { is: "unsaved", failure };
      this.schedule(wait * 1000);
    }
  }
}

// No answer, a server that has too much to do, a key that is asked for: that may be better later.
function isFinal({ status }: Failure): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
}
