// Sound as it is sent: whole samples of 16 bits in blocks of 100 ms, at the rate that it has. The
// worklet uses this, so nothing of the page may be imported here.

export interface Heard {
  level: number | null; // the loudest sample of the last 40 ms, 0 to 1; null: not yet
  block: Int16Array<ArrayBuffer> | null;
}

const block_s = 0.1;
const level_s = 0.04;

export class Blocks {
  private readonly size: number;
  private readonly levelSize: number;
  private block: Int16Array<ArrayBuffer>;
  private filled = 0;
  private loudest = 0;
  private measured = 0;

  constructor(rate: number) {
    this.size = Math.round(rate * block_s);
    this.levelSize = Math.round(rate * level_s);
    this.block = new Int16Array(this.size);
  }

  // Takes samples from -1 to 1, fewer than a block has.
  take(samples: Float32Array): Heard {
    const heard: Heard = { level: null, block: null };
    for (const sample of samples) {
      const bounded = Math.max(-1, Math.min(1, sample));
      this.loudest = Math.max(this.loudest, Math.abs(bounded));
      this.block[this.filled] = Math.round(bounded * 32767);
      this.filled += 1;
      if (this.filled === this.size) heard.block = this.next();
    }
    this.measured += samples.length;
    if (this.measured >= this.levelSize) {
      heard.level = this.loudest;
      this.loudest = 0;
      this.measured = 0;
    }
    return heard;
  }

  private next(): Int16Array<ArrayBuffer> {
    const full = this.block;
    this.block = new Int16Array(this.size);
    this.filled = 0;
    return full;
  }
}
