// The store of this page, and the start of its events, which is called once.

import { effect } from "@preact/signals";

import { get, keyWanted, reachable } from "../api/client.ts";
import { reconnections } from "../state/connection.ts";
import { loadStatus, serverStatus } from "../state/server_status.ts";
import type { Listed } from "./poll.ts";
import { startEvents } from "./start.ts";
import { Store } from "./store.ts";

export const jobStore = new Store();

export function startPageEvents(): void {
  const signal = new AbortController().signal;
  startEvents({ store: jobStore, listJobs, signedIn, wakeUp: wakeUp(), signal });
  effect(tellReachable);
  effect(tellStatus);
}

// Resolves when the events are followed, or are not to be had just now: to a list that is asked for
// afterwards the events add all that is new.
export function settled(): Promise<void> {
  return resolvedWhen(() => jobStore.connection.value.state !== "connecting");
}

// A stream that only ended says nothing bad of the daemon; one that nobody answers does.
function tellReachable(): void {
  const connection = jobStore.connection.value;
  if (connection.state === "open") reachable.value = true;
  if (connection.state === "lost" && !connection.answered) reachable.value = false;
}

// The line in the header reads what /v1/status has said; events keep its figures new.
function tellStatus(): void {
  const now = jobStore.status.value;
  const before = serverStatus.peek();
  if (!now || !before || now.waiting === null || now.running === null) return;
  const names = (models: { name: string }[]) => models.map(({ name }) => name).sort().join();
  if (names(now.loaded ?? []) !== names(before.models)) void loadStatus();
  else serverStatus.value = { ...before, queue: { waiting: now.waiting, running: now.running } };
}

function wakeUp(): EventTarget {
  const target = new EventTarget();
  const tell = () => target.dispatchEvent(new Event("online"));
  addEventListener("online", tell);
  reconnections.subscribe(tell);
  return target;
}

async function listJobs(): Promise<Listed> {
  const answer = await get<Listed>("/v1/jobs?limit=100");
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

function signedIn(signal: AbortSignal): Promise<void> {
  keyWanted.value = true;
  return resolvedWhen(() => !keyWanted.value, signal);
}

function resolvedWhen(condition: () => boolean, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (condition()) finish();
    });
    function finish(): void {
      // The effect may run before `stop` is there.
      queueMicrotask(() => stop());
      resolve();
    }
    signal?.addEventListener("abort", finish);
  });
}
