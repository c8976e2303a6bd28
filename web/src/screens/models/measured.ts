// How fast the models of this server were with one's own recordings, and which of them that suggests.

import type { CatalogModel, Job } from "../../api/types.ts";
import { medianOf, speedsOf } from "../../state/speeds.ts";

export interface Measured {
  times: number; // real time; the median
  count: number; // of recordings
}

// In shorter ones the loading of the model counts for too much.
const least_seconds = 60;

export function measuredOf(jobs: readonly Job[]): Map<string, Measured> {
  const found = new Map<string, Measured>();
  for (const model of new Set(jobs.map((job) => job.model))) {
    const speeds = speedsOf(jobs.filter((job) => job.model === model && (job.duration ?? 0) >= least_seconds));
    const times = medianOf(speeds);
    if (times !== null) found.set(model, { times, count: speeds.length });
  }
  return found;
}

// The largest installed model for many languages that was faster than real time. Nothing is guessed
// of models that were not measured; one alone is no choice.
export function suggestedOf(
  models: readonly CatalogModel[],
  measured: ReadonlyMap<string, Measured>,
): CatalogModel | null {
  const known = models.filter((model) => model.installed && model.languages.length > 1 && measured.has(model.id));
  if (known.length < 2) return null;
  const fast = known.filter(({ id }) => measured.get(id)!.times >= 1);
  return fast.sort((a, b) => sizeOf(a.parameters) - sizeOf(b.parameters)).at(-1) ?? null;
}

// "74 M" is 74; what an imported model has nobody has stated.
function sizeOf(parameters: string | null): number {
  return Number.parseFloat(parameters ?? "") || 0;
}
