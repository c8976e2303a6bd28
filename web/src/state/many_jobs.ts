// One request for each of many jobs: a few at a time, patient with a server that asks for that, and
// what was refused is named afterwards.

import type { Failure, Result } from "../api/client.ts";

// What is told of a job whose request failed.
export interface NamedJob {
  id: string;
  name: string;
}

export interface Refused {
  name: string;
  failure: Failure;
}

export interface Outcome {
  done: number;
  refused: Refused[];
}

export interface Watch {
  signal: AbortSignal; // ends it before the next request
  progress: (ended: number) => void;
  pause_ms?: number; // before the second try; tests wait less
}

// The server lets one key change one job after the other anyway.
const at_once = 2;
const most_tries = 6;
const too_many = ["rate_limit_exceeded", "too_many_requests"];

export async function actOnMany<Item extends NamedJob>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<unknown>>,
  watch: Watch,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, refused: [] };
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item && !watch.signal.aborted; item = left.shift()) {
      const answer = await patiently(() => act(item!), watch);
      if (answer.ok) outcome.done += 1;
      else if (answer.error.code !== "aborted") outcome.refused.push({ name: item.name, failure: answer.error });
      watch.progress(outcome.done + outcome.refused.length);
    }
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return outcome;
}

// Repeats a request that was refused because too many came in a minute.
export async function patiently<T>(
  request: () => Promise<Result<T>>,
  { signal, pause_ms = 2000 }: Pick<Watch, "signal" | "pause_ms">,
): Promise<Result<T>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await request();
    const isLast = tries === most_tries || signal.aborted;
    if (answer.ok || isLast || !too_many.includes(answer.error.code)) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause_ms * 2 ** (tries - 1)));
  }
}
