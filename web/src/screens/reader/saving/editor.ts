// The text that is shown: what the daemon has, and on top of it what waits to be saved. It knows how
// to undo; it does not know how things are sent.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { applied, type Operation } from "../text/operations.ts";
import { indexOfKey, type Text } from "../text/segment.ts";
import { splitWord } from "../text/words.ts";
import { Ids, withAnswer, type Answer, type Names, type Work } from "./work.ts";

export type Entry = {
  readonly id: string; // by which the daemon knows a repeated one
  work: Work;
  tries?: number; // how often it was sent
  sentOn?: number; // the version that it was sent for; unset: it was not sent yet
  made?: number; // the version that it became
  snapshot?: Text; // the text after it, where its operation does not say that
  redoes?: Entry; // a version that is restored is the one that this became
};

// What undo takes back at once.
type Step = { before: Text; after: Text; names: Names; entry: Entry };

export type Kept = { version: number; entries: Pick<Entry, "id" | "work">[] };

export class Editor {
  private readonly ids = new Ids();
  private base: Text = [];
  private baseVersion = 0;
  private baseNames: Names = {};
  // The version that the next entry is for. It is older than the base where words come out of a
  // browser's memory, so that the daemon notices what happened in between.
  private version = 0;
  private queue: Entry[] = [];
  private readonly undoable = signal<readonly Step[]>([]);
  private readonly redoable = signal<readonly Step[]>([]);
  private readonly shownText = signal<Text>([]);
  private readonly shownNames = signal<Names>({});
  private readonly waiting = signal<readonly Entry[]>([]);
  private readonly prefix: string;
  private made = 0;

  // `prefix` tells keys and ids of this editor from all others'.
  constructor(prefix: string) {
    this.prefix = prefix;
  }

  readonly text: ReadonlySignal<Text> = this.shownText;
  readonly names: ReadonlySignal<Names> = this.shownNames;
  readonly pending: ReadonlySignal<readonly Entry[]> = this.waiting;
  // What undo would take back, and redo repeat; null: nothing. It is the same object for as long as
  // it is that.
  readonly toUndo = computed(() => this.undoable.value.at(-1)?.entry ?? null);
  readonly toRedo = computed(() => this.redoable.value.at(-1)?.entry ?? null);

  get savedVersion(): number {
    return this.baseVersion;
  }

  newKey(): string {
    this.made += 1;
    return `${this.prefix}.${this.made}`;
  }

  keyOf = (id: string): string => this.ids.keyOf(id);

  idOf = (key: string): string => this.ids.idOf(key);

  // Takes what the daemon has. Entries that wait stay on top of it; what was done before cannot be
  // undone any more, unless nothing has changed but that more was read.
  load(text: Text, version: number, keepHistory = false): void {
    this.base = text;
    this.baseVersion = version;
    if (this.queue.length === 0) this.version = version;
    if (!keepHistory) this.forgetHistory();
    this.show();
  }

  loadNames(names: Names): void {
    this.baseNames = names;
    this.show();
  }

  // Does something. It answers false where that means nothing here.
  do(work: Work): boolean {
    const before = this.shownText.peek();
    if (work.op !== "restore" && work.op !== "names") {
      const after = applied(before, work);
      if (after === null || after === before || isSame(before, after, work)) return false;
    }
    if (this.extends(work)) {
      const entry = this.queue.at(-1)!;
      entry.work = work;
      this.show();
      const steps = this.undoable.peek();
      const last = { ...steps.at(-1)!, after: this.shownText.peek() };
      this.undoable.value = [...steps.slice(0, -1), last];
    } else {
      this.begin({ id: this.newKey(), work });
    }
    this.redoable.value = [];
    return true;
  }

  undo(): void {
    const step = this.undoable.peek().at(-1);
    if (!step) return;
    this.undoable.value = this.undoable.peek().slice(0, -1);
    this.redoable.value = [...this.redoable.peek(), step];
    if (this.isUnsent(step.entry)) {
      this.queue = this.queue.filter((entry) => entry !== step.entry);
    } else {
      this.queue.push(this.takingBack(step));
    }
    this.show();
  }

  redo(): void {
    const step = this.redoable.peek().at(-1);
    if (!step) return;
    const rest = this.redoable.peek().slice(0, -1);
    this.begin(this.repeating(step));
    this.redoable.value = rest;
  }

  // What is to be sent next, in the daemon's words. It counts as sent from here on.
  next(): { entry: Entry; work: Record<string, unknown>; version: number } | null {
    const entry = this.queue[0];
    if (!entry) return null;
    entry.sentOn = this.version;
    entry.tries = (entry.tries ?? 0) + 1;
    return { entry, work: this.wired(entry), version: this.version };
  }

  // Takes the daemon's answer to the first entry.
  answered(entry: Entry, answer: Answer): void {
    if (entry.work.op === "split") this.linkMade(entry.work, answer);
    if (entry.work.op === "names") this.baseNames = { ...this.baseNames, ...entry.work.names };
    entry.made = answer.version;
    this.version = answer.version;
    if (answer.version > this.baseVersion) {
      this.base = withAnswer(this.base, answer, this.ids, this.orderAfter(entry));
      this.baseVersion = answer.version;
    }
    this.queue.shift();
    if (this.queue.length === 0) this.version = this.baseVersion;
    this.show();
    this.learnAfter(entry);
  }

  // The first entry was taken by the daemon, though its answer was never heard; `text` is what it has
  // made of it.
  tookPlace(entry: Entry, text: Text, version: number): void {
    this.base = text;
    if (entry.work.op === "split") this.linkBehind(entry.work);
    this.baseVersion = version;
    this.answered(entry, { version, changed: [], removed: [] });
  }

  // Puts what waits on top of the version that was loaded last. Returns the words that have no place
  // there, because their segment is gone.
  putOnTop(): string[] {
    this.version = this.baseVersion;
    const lost: string[] = [];
    let text = this.base;
    this.queue = this.queue.filter((entry) => {
      delete entry.sentOn;
      delete entry.tries;
      if (entry.work.op === "names") return true;
      const next = entry.work.op === "restore" ? text : applied(text, entry.work);
      if (next === null && entry.work.op === "text") lost.push(entry.work.text);
      text = next ?? text;
      return next !== null;
    });
    this.forgetHistory();
    this.show();
    return lost;
  }

  // Gives up what waits.
  drop(): void {
    this.queue = [];
    this.version = this.baseVersion;
    this.forgetHistory();
    this.show();
  }

  // What must outlive the tab; null if nothing waits.
  kept(): Kept | null {
    if (this.queue.length === 0) return null;
    return {
      version: this.version,
      entries: this.queue.map(({ id, work }) => ({ id, work: this.withIds(work) })),
    };
  }

  // Takes over what another tab could not save.
  adopt(kept: Kept): void {
    this.version = kept.version;
    // The first one may have been on its way.
    const entries = kept.entries.map((entry, index): Entry => ({ ...entry, tries: index === 0 ? 1 : 0 }));
    this.queue = [...entries, ...this.queue];
    this.show();
  }

  private begin(entry: Entry): void {
    const [before, names] = [this.shownText.peek(), this.shownNames.peek()];
    this.queue.push(entry);
    this.show();
    const step: Step = { before, after: this.shownText.peek(), names, entry };
    this.undoable.value = [...this.undoable.peek(), step].slice(-most_steps);
  }

  // What a step has led to is known in full when the daemon has answered.
  private learnAfter(entry: Entry): void {
    const steps = this.undoable.peek();
    const last = steps.at(-1);
    if (last?.entry !== entry || this.queue.length > 0) return;
    this.undoable.value = [...steps.slice(0, -1), { ...last, after: this.shownText.peek() }];
  }

  // Whether it goes on with what was typed last, which was not sent yet.
  private extends(work: Work): boolean {
    const last = this.queue.at(-1);
    return (
      work.op === "text" &&
      last?.work.op === "text" &&
      last.work.segment === work.segment &&
      this.isUnsent(last) &&
      this.undoable.peek().at(-1)?.entry === last
    );
  }

  private isUnsent(entry: Entry): boolean {
    return entry.sentOn === undefined && this.queue.includes(entry);
  }

  private takingBack(step: Step): Entry {
    const { work, sentOn } = step.entry;
    if (work.op === "names") {
      const names: Record<string, string | null> = {};
      for (const label of Object.keys(work.names)) names[label] = step.names[label] ?? null;
      return { id: this.newKey(), work: { op: "names", names } };
    }
    const restore = { op: "restore", version: sentOn ?? this.version } as const;
    return { id: this.newKey(), work: restore, snapshot: step.before };
  }

  private repeating(step: Step): Entry {
    const { work, sentOn, made, snapshot, redoes } = step.entry;
    const id = this.newKey();
    if (work.op === "names") return { id, work };
    if (sentOn === undefined) {
      return { id, work, ...(snapshot && { snapshot }), ...(redoes && { redoes }) };
    }
    const restore = { op: "restore", version: made ?? sentOn + 1 } as const;
    return { id, work: restore, snapshot: step.after, redoes: step.entry };
  }

  private show(): void {
    let text = this.base;
    let names = this.baseNames;
    for (const { work, snapshot } of this.queue) {
      if (snapshot) text = snapshot;
      else if (work.op === "names") names = { ...names, ...work.names };
      else if (work.op !== "restore") text = applied(text, work) ?? text;
    }
    this.shownText.value = text;
    this.shownNames.value = names;
    this.waiting.value = [...this.queue];
  }

  private forgetHistory(): void {
    this.undoable.value = [];
    this.redoable.value = [];
  }

  private withIds(work: Work): Work {
    return "segment" in work ? { ...work, segment: this.ids.idOf(work.segment) } : work;
  }

  private wired(entry: Entry): Record<string, unknown> {
    const work = this.withIds(entry.work);
    if (work.op === "restore") return { ...work, version: entry.redoes?.made ?? work.version };
    if (work.op !== "split") return { ...work };
    const segment = this.base[indexOfKey(this.base, this.ids.keyOf(work.segment))];
    const word = segment ? splitWord(segment, work.at) : 1;
    return { op: "split", segment: work.segment, word };
  }

  private orderAfter({ work, snapshot }: Entry): Text | null {
    if (snapshot) return snapshot;
    return work.op === "split" ? applied(this.base, work) : null;
  }

  // Of the two parts in the answer the first has the id that was there. A text that was read after
  // the split has the second part already, under its id.
  private linkMade(work: Operation & { op: "split" }, answer: Answer): void {
    const first = this.ids.idOf(work.segment);
    const made = answer.changed.find(({ id }) => id !== first);
    if (made) this.link(work.made, made.id);
  }

  private linkBehind(work: Operation & { op: "split" }): void {
    const made = this.base[indexOfKey(this.base, work.segment) + 1];
    if (made) this.link(work.made, made.key);
  }

  private link(key: string, id: string): void {
    this.ids.link(key, id);
    this.base = this.base.map((one) => (one.key === id ? { ...one, key } : one));
  }
}

const most_steps = 500;

function isSame(before: Text, after: Text, work: Operation): boolean {
  if (work.op !== "text" && work.op !== "speaker" && work.op !== "times") return false;
  const index = indexOfKey(before, work.segment);
  const [a, b] = [before[index]!, after[index]!];
  return a.text === b.text && a.speaker === b.speaker && a.start === b.start && a.end === b.end;
}
