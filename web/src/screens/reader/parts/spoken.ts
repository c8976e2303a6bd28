// Lights the word that is said, and keeps it in view.
import { effect, signal } from "@preact/signals";
import { segmentAt, type Segment } from "../text/segment.ts";
import { spanOf, wordAtTime } from "../text/words.ts";
import type { ReaderState } from "../reader_state.ts";
import { bringIntoView, isInView, rangeOf, rowOf } from "./places.ts";

type Said = { segment: Segment; word: number };

export class Spoken {
  readonly following = signal(true); // what a person has chosen
  readonly away = signal(false); // scrolled elsewhere, so that following waits
  private readonly reader: ReaderState;
  private readonly light: Light;
  private said: Said | null = null;
  private ownScrollEnds = 0;

  constructor(reader: ReaderState) {
    this.reader = reader;
    this.light = "highlights" in CSS ? new HighlightLight() : new MarkerLight();
  }

  // Returns what ends it.
  start(): () => void {
    const stop = effect(() => this.look());
    // Where the text has changed the page is drawn first.
    const stopText = this.reader.editor.text.subscribe(() => {
      this.said = null;
      requestAnimationFrame(() => this.look());
    });
    const scrolled = () => this.scrolled();
    addEventListener("scroll", scrolled, { passive: true });
    return () => {
      stop();
      stopText();
      removeEventListener("scroll", scrolled);
      this.light.show(null);
    };
  }

  // Goes on following, from the spoken word on.
  comeBack(): void {
    this.away.value = false;
    const segment = this.reader.current.peek();
    if (segment) this.scrollTo(segment.key);
  }

  scrollTo(key: string): void {
    this.away.value = false;
    this.ownScrollEnds = performance.now() + 1000;
    const row = rowOf(key);
    if (row && !isInView(row)) bringIntoView(key, isNear(row) && !prefersStillness());
  }

  private look(): void {
    const { editor, player } = this.reader;
    const now = player.time.value;
    const text = editor.text.peek();
    const segment = text[segmentAt(text, now)];
    const word = segment ? wordAtTime(segment, now) : -1;
    if (this.said?.segment === segment && this.said?.word === word) return;
    const isNextRow = this.said?.segment.key !== segment?.key;
    this.said = segment ? { segment, word } : null;
    this.show();
    if (isNextRow && segment) this.followTo(segment);
  }

  private show(): void {
    const row = this.said && rowOf(this.said.segment.key);
    if (!row || !this.said || this.said.word < 0) return this.light.show(null);
    this.light.show(rangeOf(row, ...spanOf(this.said.segment, this.said.word)));
  }

  private followTo(segment: Segment): void {
    const { player, editing } = this.reader;
    const follows = this.following.peek() && !this.away.peek() && player.playing.peek();
    if (follows && editing.peek() === null) this.scrollTo(segment.key);
  }

  // A scroll that is not ours is a person's.
  private scrolled(): void {
    if (performance.now() < this.ownScrollEnds) return;
    if (!this.reader.player.playing.peek() || !this.following.peek()) return;
    const segment = this.reader.current.peek();
    const row = segment && rowOf(segment.key);
    if (row && !isInView(row)) this.away.value = true;
  }
}

const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Long ways are jumped: nobody wants to see hours of text pass by.
function isNear(row: Element): boolean {
  return Math.abs(row.getBoundingClientRect().top) < 2 * innerHeight;
}

type Light = { show(range: Range | null): void };

class HighlightLight implements Light {
  show(range: Range | null): void {
    if (range) CSS.highlights.set("spoken", new Highlight(range));
    else CSS.highlights.delete("spoken");
  }
}

// For browsers without highlights: a coloured box behind the word.
class MarkerLight implements Light {
  private readonly marker = document.createElement("span");

  show(range: Range | null): void {
    const row = range?.startContainer.parentElement?.closest<HTMLElement>(".segment");
    const box = range?.getClientRects()[0];
    if (!row || !box) return this.marker.remove();
    const frame = row.getBoundingClientRect();
    this.marker.className = "spoken-marker";
    this.marker.style.left = `${box.left - frame.left}px`;
    this.marker.style.top = `${box.top - frame.top}px`;
    this.marker.style.width = `${box.width}px`;
    this.marker.style.height = `${box.height}px`;
    row.append(this.marker);
  }
}
