// Reads the text: all of it when it is opened, what is added while it is made, and anew when somebody
// else has changed it.
import { batch, signal } from "@preact/signals";
import type { Failure } from "../../api/client.ts";
import { hasEnded, type Job } from "../../events/types.ts";
import type { Editor } from "./saving/editor.ts";
import { readPage, type Source } from "./source.ts";
import { segmentOf, type Segment } from "./text/segment.ts";

export class Loader {
  readonly whole = signal(false); // all that there is was read
  readonly failure = signal<Failure | null>(null);
  private readonly source: Source;
  private readonly editor: Editor;
  private read: readonly Segment[] = [];
  private last: string | null = null; // the id of the last one that was read
  private version: number | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(source: Source, editor: Editor) {
    this.source = source;
    this.editor = editor;
  }

  // Shows each page as soon as it is there.
  readAll(): Promise<boolean> {
    return this.inTurn(() => this.readOn(true));
  }

  // Replaces the text at once, when all of it is there.
  readAgain(): Promise<boolean> {
    return this.inTurn(() => {
      this.startAnew();
      return this.readOn(false);
    });
  }

  stop(): void {
    this.stopped = true;
  }

  // Reads what the job has and the page has not. `ends`: it has just ended; its segments may be cut
  // anew by then.
  async follow(job: Job, ends: boolean): Promise<void> {
    if (ends) return void (await this.readAgain());
    await this.inTurn(async () => {
      if (!this.whole.peek()) return;
      if (!hasEnded(job)) {
        if (job.segments > this.read.length) await this.readOn(true);
      } else if (this.isChangedElsewhere(job)) {
        this.startAnew();
        await this.readOn(false);
      }
    });
  }

  // While something waits to be saved, the daemon's answer to it says whether somebody was quicker.
  private isChangedElsewhere(job: Job): boolean {
    const waits = this.editor.pending.peek().length > 0;
    return !waits && (job.version ?? 0) > this.editor.savedVersion;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private startAnew(): void {
    this.read = [];
    this.last = null;
    this.version = null;
  }

  private async readOn(piecemeal: boolean): Promise<boolean> {
    for (;;) {
      const answer = await readPage(this.source, this.last);
      if (this.stopped) return false;
      if (!answer.ok) {
        this.failure.value = answer.error;
        return false;
      }
      const { data, has_more, version } = answer.value;
      if (this.version !== null && this.version !== version) {
        this.startAnew(); // it was changed between two pages
        continue;
      }
      this.version = version;
      this.last = data.at(-1)?.id ?? this.last;
      const more = data.map((wire) => segmentOf(wire, this.editor.keyOf(wire.id)));
      this.read = [...this.read, ...more];
      batch(() => {
        this.failure.value = null;
        if (piecemeal || !has_more) this.editor.load(this.read, version, piecemeal);
        if (!has_more) this.whole.value = true;
      });
      if (!has_more) return true;
    }
  }
}
