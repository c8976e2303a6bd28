const quietest_db = -60;

// Returns how long the bar is for a level, both from 0 to 1. Ears hear ratios, so the bar does too.
export function barOf(level: number): number {
  if (level <= 0) return 0;
  const share = 1 - (20 * Math.log10(level)) / quietest_db;
  return Math.round(Math.max(0, Math.min(1, share)) * 1000) / 1000;
}
