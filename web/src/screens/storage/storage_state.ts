// What the daemon says of the disk, and the list of all recordings of one's own.

import { signal } from "@preact/signals";

import { get, type Failure, type Result } from "../../api/client.ts";
import type { JobList, Storage } from "../../api/types.ts";
import { jobStore } from "../../events/events.ts";
import { patiently } from "../../state/many_jobs.ts";
import { storedOf, type Stored } from "./inventory.ts";

export const storage = signal<Result<Storage> | null>(null);

// `isWhole`: all pages of the list were read.
export interface Inventory {
  all: readonly Stored[];
  isWhole: boolean;
  failure: Failure | null;
}

export const inventory = signal<Inventory>({ all: [], isWhole: false, failure: null });

// Several changes within a moment are one question.
const again_ms = 1000;

export async function loadStorage(): Promise<Storage | null> {
  const answer = await get<Storage>("/v1/storage");
  // What is shown stays while the daemon does not answer.
  if (answer.ok || !storage.peek()?.ok) storage.value = answer;
  return answer.ok ? answer.value : null;
}

// Reads the whole list, page by page.
export async function loadInventory(signal: AbortSignal): Promise<void> {
  const known = await loadStorage();
  const shared = new Set(known?.shared_jobs ?? []);
  const found: Stored[] = [];
  let after = "";
  while (!signal.aborted) {
    const address = `/v1/jobs?limit=100${after && `&after=${encodeURIComponent(after)}`}`;
    const answer = await patiently(() => get<JobList>(address, { signal }), { signal });
    if (signal.aborted) return;
    if (!answer.ok) {
      inventory.value = { all: found, isWhole: false, failure: answer.error };
      return;
    }
    for (const job of answer.value.data) {
      const one = storedOf(job, shared);
      if (one) found.push(one);
    }
    const isWhole = !answer.value.has_more;
    inventory.value = { all: [...found], isWhole, failure: null };
    if (isWhole) return;
    after = answer.value.data.at(-1)?.id ?? "";
  }
}

// Follows what happens to jobs until the screen is left.
export function watchStorage(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = jobStore.listen((event) => {
    if (event.type !== "job.deleted" && event.type !== "job.ended" && event.type !== "job.edited") return;
    const { all, ...rest } = inventory.peek();
    const others = all.filter(({ id }) => id !== event.job.id);
    const now = event.type === "job.deleted" ? null : storedOf(event.job, sharedNow());
    if (now || others.length < all.length) inventory.value = { ...rest, all: now ? [now, ...others] : others };
    clearTimeout(timer);
    timer = setTimeout(() => void loadStorage(), again_ms);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function sharedNow(): ReadonlySet<string> {
  const known = storage.peek();
  return new Set(known?.ok ? known.value.shared_jobs : []);
}
