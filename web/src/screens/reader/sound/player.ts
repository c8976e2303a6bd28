// Plays the recording. Without sound the time can be moved all the same, so that the text is read in
// the same way.
import { signal } from "@preact/signals";

export const slowest = 0.5;
export const fastest = 3;
const resume_back_s = 1;
const slow_share = 0.7;

export class Player {
  readonly audio = new Audio();
  readonly time = signal(0); // seconds; new in each frame while it plays
  readonly playing = signal(false);
  readonly duration = signal(0);
  readonly rate = signal(1);
  readonly failed = signal(false);
  private address: string | null = null;
  private frame = 0;
  private sought: number | null = null; // where a jump leads that has not arrived
  private pausedAt: number | null = null; // where playing goes on; null: people went elsewhere
  private slowUntil: number | null = null;

  constructor() {
    const { audio } = this;
    audio.preload = "metadata";
    audio.addEventListener("play", () => this.began());
    audio.addEventListener("pause", () => this.ended());
    audio.addEventListener("seeked", () => {
      this.sought = null;
      this.read();
    });
    audio.addEventListener("timeupdate", () => this.read());
    audio.addEventListener("loadedmetadata", () => {
      this.duration.value = Math.max(this.duration.peek(), finite(audio.duration));
    });
    audio.addEventListener("error", () => {
      this.failed.value = this.address !== null;
      this.playing.value = false;
    });
  }

  // `length`: how long it is as far as the daemon knows.
  open(address: string | null, length: number): void {
    this.duration.value = Math.max(length, finite(this.audio.duration));
    if (address === this.address) return;
    this.address = address;
    this.failed.value = false;
    if (address !== null) this.audio.src = address;
  }

  // Reads a recording anew that has grown, at the same place.
  reopen(): void {
    if (this.address === null || this.playing.peek()) return;
    const at = this.time.peek();
    this.failed.value = false;
    this.audio.load();
    this.audio.currentTime = at;
  }

  get hasSound(): boolean {
    return this.address !== null;
  }

  seek(seconds: number): void {
    const at = Math.min(Math.max(0, seconds), this.duration.peek() || seconds);
    this.pausedAt = null;
    this.endSlow();
    this.time.value = at;
    if (this.address === null) return;
    this.sought = at;
    this.audio.currentTime = at;
  }

  skip(seconds: number): void {
    this.seek(this.time.peek() + seconds);
  }

  async play(): Promise<void> {
    if (this.address === null) return;
    if (this.pausedAt !== null) this.seek(this.pausedAt - resume_back_s);
    try {
      await this.audio.play();
    } catch {
      // A pause that came before, or no sound; the audio element tells of that itself.
    }
  }

  pause(): void {
    this.audio.pause();
    // The event that tells of it may come later than the next key.
    this.pausedAt = this.audio.currentTime;
  }

  toggle(): void {
    // The events that tell of playing come later than the next key may.
    if (this.audio.paused) void this.play();
    else this.pause();
  }

  setRate(rate: number): void {
    this.endSlow();
    this.rate.value = Math.round(Math.min(fastest, Math.max(slowest, rate)) * 10) / 10;
    this.audio.playbackRate = this.rate.peek();
  }

  // Plays from `start`, and more slowly until `end` if that is wanted.
  playFrom(start: number, slowUntil: number | null = null): void {
    this.seek(start);
    if (slowUntil !== null) {
      this.slowUntil = slowUntil;
      this.audio.playbackRate = Math.max(slowest, this.rate.peek() * slow_share);
    }
    void this.play();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.audio.load();
  }

  private began(): void {
    this.playing.value = true;
    this.pausedAt = null;
    cancelAnimationFrame(this.frame);
    const step = () => {
      this.read();
      if (this.playing.peek()) this.frame = requestAnimationFrame(step);
    };
    step();
  }

  private ended(): void {
    this.playing.value = false;
    cancelAnimationFrame(this.frame);
    this.read();
    this.pausedAt = this.audio.ended ? null : this.audio.currentTime;
  }

  private read(): void {
    if (this.sought !== null || this.address === null) return;
    const at = this.audio.currentTime;
    this.time.value = at;
    if (this.slowUntil !== null && at >= this.slowUntil) this.endSlow();
  }

  private endSlow(): void {
    this.slowUntil = null;
    this.audio.playbackRate = this.rate.peek();
  }
}

const finite = (seconds: number) => (Number.isFinite(seconds) ? seconds : 0);
