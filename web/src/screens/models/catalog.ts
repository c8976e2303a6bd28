// What the daemon says of models, and what can be done with them.
import { signal } from "@preact/signals";
import { get, post, remove, type Result } from "../../api/client.ts";
import type { Catalog, CatalogModel, JobList } from "../../api/types.ts";
import { jobStore } from "../../events/events.ts";
import type { Pull } from "../../events/types.ts";
import type { Problem } from "../../ui/failure.tsx";
import { measuredOf, type Measured } from "./measured.ts";

export type { CatalogModel };

export const catalog = signal<Result<Catalog> | null>(null);

// How fast models were, by their names.
export const measured = signal<ReadonlyMap<string, Measured>>(new Map());

// What went wrong with a model, by its name, until it is tried again.
export const failures = signal<ReadonlyMap<string, Problem>>(new Map());

export async function loadCatalog(): Promise<void> {
  const answer = await get<Catalog>("/v1/catalog");
  // What is shown stays while the daemon does not answer.
  if (answer.ok || !catalog.peek()?.ok) catalog.value = answer;
}

export async function loadMeasured(): Promise<void> {
  const answer = await get<JobList>("/v1/jobs?status=done&limit=100");
  if (answer.ok) measured.value = measuredOf(answer.value.data);
}

// Follows what happens to models until the screen is left.
export function watchCatalog(): () => void {
  let loaded = "";
  return jobStore.listen((event) => {
    if (event.type === "model.ended") {
      if (event.error && event.error.code !== "cancelled") setFailure(event.model, event.error);
      void loadCatalog();
    }
    if (event.type === "model.removed") void loadCatalog();
    if (event.type === "status") {
      const now = JSON.stringify(event.loaded?.map(({ name, loading }) => [name, loading]));
      if (now !== loaded) void loadCatalog();
      loaded = now;
    }
  });
}

// Returns how far a model is fetched: what events said last, else what the catalogue has said.
export function pullOf(model: CatalogModel): Pull | null {
  const told = jobStore.pulls.value.get(model.id);
  if (told || model.pull === null) return told ?? null;
  return { done: model.pull.done_bytes, total: model.pull.total_bytes ?? 0, perSecond: null };
}

export const pathOf = (id: string, action = "") => `/v1/models/${encodeURIComponent(id)}${action}`;

export const fetchModel = (id: string) => act(id, () => post(pathOf(id, "/pull")));
export const stopFetching = (id: string) => act(id, () => remove(pathOf(id, "/pull")));
export const removeModel = (id: string) => act(id, () => remove(pathOf(id)));
export const loadModel = (id: string) => act(id, () => post(pathOf(id, "/load"), {}));
export const unloadModel = (id: string) => act(id, () => post(pathOf(id, "/unload")));

async function act(id: string, request: () => Promise<Result<unknown>>): Promise<boolean> {
  setFailure(id, null);
  const answer = await request();
  if (!answer.ok) setFailure(id, answer.error);
  await loadCatalog();
  return answer.ok;
}

function setFailure(id: string, failure: Problem | null): void {
  const next = new Map(failures.peek());
  if (failure) next.set(id, failure);
  else next.delete(id);
  failures.value = next;
}
