// Sound that the daemon has not got: what is said before the line stands, or while it is broken. It
// is sent when the line stands again. When there is too much, the oldest goes, and that is counted.

export interface Block {
  samples: Int16Array<ArrayBuffer>;
  seconds: number;
}

export class WaitingSound {
  private blocks: Block[] = [];
  private held = 0;
  private lost = 0;
  private readonly most_s: number;

  constructor(most_s = 60) {
    this.most_s = most_s;
  }

  add(samples: Int16Array<ArrayBuffer>, rate: number): void {
    const block = { samples, seconds: samples.length / rate };
    this.blocks.push(block);
    this.held += block.seconds;
    while (this.held > this.most_s && this.blocks.length > 1) {
      const { seconds } = this.blocks.shift()!;
      this.held -= seconds;
      this.lost += seconds;
    }
  }

  // Returns all that waits, in order, and how many seconds before it are lost.
  take(): { blocks: Block[]; lost_s: number } {
    const taken = { blocks: this.blocks, lost_s: this.lost };
    this.blocks = [];
    this.held = this.lost = 0;
    return taken;
  }
}
