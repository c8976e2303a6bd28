// The loudest sample of each tenth of a second, 0 to 255, from which the waveform is drawn.
export type Peaks = { perSecond: number; bins: Uint8Array };

export const noPeaks: Peaks = { perSecond: 10, bins: new Uint8Array() };

export function appended(before: Peaks, more: Peaks): Peaks {
  if (before.bins.length === 0) return more;
  const bins = new Uint8Array(before.bins.length + more.bins.length);
  bins.set(before.bins);
  bins.set(more.bins, before.bins.length);
  return { perSecond: before.perSecond, bins };
}

// Returns the loudest bin of a stretch of time.
export function loudest({ perSecond, bins }: Peaks, from: number, to: number): number {
  const end = Math.min(bins.length, Math.max(Math.floor(from * perSecond) + 1, Math.ceil(to * perSecond)));
  let most = 0;
  for (let at = Math.max(0, Math.floor(from * perSecond)); at < end; at += 1) most = Math.max(most, bins[at]!);
  return most;
}

const span_s = 60;

// Returns the minute that is seen in large: around the present, and within the recording.
export function shownMinute(now: number, duration: number): [from: number, to: number] {
  const from = Math.max(0, Math.min(now - span_s / 2, duration - span_s));
  return [from, from + span_s];
}
