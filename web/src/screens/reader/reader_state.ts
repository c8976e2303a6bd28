// One recording that is open: its job, its text, its sound, and where a person is in it.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Failure } from "../../api/client.ts";
import { jobStore } from "../../events/events.ts";
import { hasEnded, type Job } from "../../events/types.ts";
import { reconnections } from "../../state/connection.ts";
import { may } from "../../state/session.ts";
import { Loader } from "./loader.ts";
import { Editor } from "./saving/editor.ts";
import { Keeper } from "./saving/keeper.ts";
import { recognised } from "./saving/recognise.ts";
import { Saver } from "./saving/saver.ts";
import { appended, noPeaks, type Peaks } from "./sound/peaks.ts";
import { Player } from "./sound/player.ts";
import { audioUrl, readJob, readPeaks, save, type Source } from "./source.ts";
import { segmentAt, type Segment } from "./text/segment.ts";

// Which segment is edited, and where in its text the writing mark goes.
export type Editing = { key: string; caret: number; end: number };

// Whether there is sound, though it may still grow.
export const canBeHeard = (job: Job) => job.has_audio === true || (job.audio?.seconds ?? 0) > 0;

const grows_ms = 2000;

// A jump to a time may arrive a little before it.
const early_s = 0.02;

export class ReaderState {
  readonly source: Source;
  readonly job = signal<Job | null>(null);
  readonly failure = signal<Failure | null>(null);
  readonly editor: Editor;
  readonly saver: Saver;
  readonly keeper: Keeper;
  readonly loader: Loader;
  readonly player = new Player();
  readonly peaks = signal<Peaks>(noPeaks);
  readonly editing = signal<Editing | null>(null);
  // The row under the pointer, which shows what can be done with it.
  readonly pointed = signal<string | null>(null);
  private readonly stops: (() => void)[] = [];
  private growing: ReturnType<typeof setTimeout> | undefined;

  constructor(source: Source) {
    this.source = source;
    const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.editor = new Editor(tab);
    this.saver = new Saver(
      this.editor,
      (work, version) => save(source, work, version),
      (entry) => recognised(source, this.editor, entry),
    );
    this.loader = new Loader(source, this.editor);
    this.keeper = new Keeper(this.editor, this.saver, source.path, tab);
  }

  // The segment at the place of the player: the last one that has begun.
  readonly current: ReadonlySignal<Segment | null> = computed(() => {
    const text = this.editor.text.value;
    return text[segmentAt(text, this.player.time.value + early_s)] ?? text[0] ?? null;
  });

  readonly ended = computed(() => this.job.value !== null && hasEnded(this.job.value));

  readonly canEdit = computed(
    () =>
      !this.source.shared &&
      this.ended.value &&
      this.loader.whole.value &&
      this.keeper.adopted.value &&
      may("transcribe"),
  );

  async open(): Promise<void> {
    const reading = this.loader.readAll();
    const answer = await readJob(this.source);
    if (!answer.ok) {
      this.failure.value = answer.error;
      return;
    }
    this.take(answer.value);
    await reading;
    if (this.source.shared) return;
    this.follow(answer.value);
    await this.keeper.adopt();
  }

  close(): void {
    clearTimeout(this.growing);
    this.stops.forEach((stop) => stop());
    this.saver.saveNow();
    this.keeper.close();
    this.player.close();
    this.loader.stop();
  }

  // What an action of this page has answered.
  put(job: Job): void {
    jobStore.put(job);
    this.take(job);
  }

  // Reads the text anew and gives up what waits, or puts it on top. Returns words that have no place.
  async resolve(keepMine: boolean): Promise<string[]> {
    if (!(await this.loader.readAgain())) return [];
    let lost: string[] = [];
    if (keepMine) lost = this.editor.putOnTop();
    else this.editor.drop();
    this.editing.value = null;
    this.saver.goOn();
    return lost;
  }

  private follow(job: Job): void {
    const known = jobStore.put(job);
    this.stops.push(known.subscribe((told) => this.take(told)));
    this.stops.push(
      effect(() => {
        if (reconnections.value > 0) void this.readAgain();
      }),
    );
  }

  private async readAgain(): Promise<void> {
    const answer = await readJob(this.source);
    if (answer.ok) this.put(answer.value);
    if (this.player.failed.peek()) this.player.reopen();
    this.saver.saveNow();
  }

  private take(job: Job): void {
    const before = this.job.peek();
    if (job === before) return;
    this.job.value = job;
    this.editor.loadNames(job.speaker_names);
    const heard = canBeHeard(job);
    this.player.open(heard ? audioUrl(this.source) : null, job.duration ?? job.listened ?? 0);
    if (heard && this.peaks.peek().bins.length === 0) void this.readPeaks();
    const ends = before !== null && !hasEnded(before) && hasEnded(job);
    const isWhole = before !== null && !before.has_audio && job.has_audio === true;
    // The file has grown since it was opened.
    if (isWhole || (!job.has_audio && this.player.audio.ended)) this.player.reopen();
    void this.loader.follow(job, ends);
  }

  private async readPeaks(): Promise<void> {
    clearTimeout(this.growing);
    const answer = await readPeaks(this.source, this.peaks.peek().bins.length);
    if (answer.ok && answer.value.bins.length > 0) {
      this.peaks.value = appended(this.peaks.peek(), answer.value);
    }
    if (this.job.peek() && !this.ended.peek()) {
      this.growing = setTimeout(() => void this.readPeaks(), grows_ms);
    } else if (answer.ok && answer.value.bins.length > 0) {
      // The last bins came after the job had ended, or were all there were.
      void this.readPeaks();
    }
  }
}
