// Draws the waveform: bars of a minute around the present, and the whole recording as a thin line of
// them. Bars stand at fixed times, so that they move without changing their heights.
import { loudest, shownMinute, type Peaks } from "./peaks.ts";

export type Colours = { played: string; ahead: string; mark: string };

export type View = { now: number; duration: number; peaks: Peaks; colours: Colours };

const bar = 2; // in CSS pixels, as all measures here
const step = 3;

// Makes a canvas as fine as the screen, and returns its context in CSS pixels.
export function prepared(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d");
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

// Quiet recordings are drawn as tall as loud ones.
const heights = new WeakMap<Peaks, number>();

function tallest(peaks: Peaks): number {
  const known = heights.get(peaks);
  if (known !== undefined) return known;
  const most = Math.max(24, loudest(peaks, 0, peaks.bins.length / peaks.perSecond));
  heights.set(peaks, most);
  return most;
}

export function drawMinute(canvas: HTMLCanvasElement, view: View): void {
  const context = prepared(canvas);
  if (!context) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const [from, to] = shownMinute(view.now, view.duration);
  const perBar = (step * (to - from)) / width;
  const most = tallest(view.peaks);
  const first = Math.floor(from / perBar);
  for (let index = first; index * perBar < Math.min(to, view.duration); index += 1) {
    const at = index * perBar;
    const loud = loudest(view.peaks, at, at + perBar) / most;
    const tall = Math.max(2, loud ** 0.75 * (height - 4));
    context.fillStyle = at < view.now ? view.colours.played : view.colours.ahead;
    context.fillRect(((at - from) / (to - from)) * width, (height - tall) / 2, bar, tall);
  }
  context.fillStyle = view.colours.mark;
  context.fillRect(((view.now - from) / (to - from)) * width - 1, 0, 2, height);
}

export function drawWhole(canvas: HTMLCanvasElement, view: View): void {
  const context = prepared(canvas);
  if (!context || view.duration <= 0) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const perPixel = view.duration / width;
  const most = tallest(view.peaks);
  for (let x = 0; x < width; x += 1) {
    const tall = Math.max(1, (loudest(view.peaks, x * perPixel, (x + 1) * perPixel) / most) * height);
    context.fillStyle = x * perPixel < view.now ? view.colours.played : view.colours.ahead;
    context.fillRect(x, height - tall, 1, tall);
  }
  context.fillStyle = view.colours.mark;
  context.fillRect(Math.min(width - 2, (view.now / view.duration) * width - 1), 0, 2, height);
}
