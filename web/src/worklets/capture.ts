// Runs beside the page, where the sound of the microphone comes: it makes blocks of it. Browsers
// load it as a file of its own.
import { Blocks } from "../screens/live/blocks.ts";

// What an AudioWorkletGlobalScope has, of which TypeScript's libraries know nothing.
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

class Capture extends AudioWorkletProcessor {
  private readonly blocks = new Blocks(sampleRate);

  process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (samples === undefined) return true; // the microphone gives nothing at the moment
    const { level, block } = this.blocks.take(samples);
    if (level !== null) this.port.postMessage(level);
    if (block !== null) this.port.postMessage(block, [block.buffer]);
    return true;
  }
}

registerProcessor("capture", Capture);
