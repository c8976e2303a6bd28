// How fast something grows, out of the reports of the last seconds. A mean over them follows a line
// that becomes slow and does not jump with each report.

const window_ms = 8000;
const steady_ms = 1500;

export class Pace {
  private reports: { at: number; amount: number }[] = [];

  // `at` in milliseconds. An amount that is smaller than the one before begins anew.
  add(at: number, amount: number): void {
    const last = this.reports.at(-1);
    if (last && amount < last.amount) this.reports = [];
    this.reports.push({ at, amount });
    // One report from before the window stays, so that rare reports have something to be measured
    // against.
    while (this.reports.length > 2 && this.reports[1]!.at < at - window_ms) this.reports.shift();
  }

  // Null until it is steady enough to be told.
  get perSecond(): number | null {
    const first = this.reports[0];
    const last = this.reports.at(-1);
    if (!first || !last || last.at - first.at < steady_ms) return null;
    return ((last.amount - first.amount) * 1000) / (last.at - first.at);
  }
}

// Seconds until `total` at this pace, or null where it is not known.
export function secondsLeft(done: number, total: number, perSecond: number | null): number | null {
  return perSecond && perSecond > 0 && total > done ? (total - done) / perSecond : null;
}
