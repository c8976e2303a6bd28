// Acts when it was not fed for too long.
export class Watchdog {
  private readonly ms: number;
  private readonly act: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, act: () => void) {
    this.ms = ms;
    this.act = act;
  }

  feed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.feed();
      this.act();
    }, this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
