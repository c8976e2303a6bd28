// Which jobs the screen shows and in which order. Jobs themselves are in the store; the list has
// their ids, and asks the daemon for more of them.

import { batch, signal, type ReadonlySignal } from "@preact/signals";

import type { Failure, Result } from "../../api/client.ts";
import type { Store } from "../../events/store.ts";
import { hasEnded, type Job, type Match, type ServerEvent } from "../../events/types.ts";

export type Show = "all" | "in_work" | "done" | "failed";

export interface Query {
  q: string;
  show: Show;
  language: string;
  model: string;
}

export const everything: Query = { q: "", show: "all", language: "", model: "" };

export interface Page {
  data: Job[];
  has_more: boolean;
}

export type Fetch = (address: string, signal: AbortSignal) => Promise<Result<Page>>;

const page_size = 100;

const states: Record<Show, string> = {
  all: "",
  in_work: "queued,running",
  done: "done",
  failed: "failed,cancelled",
};

export function addressOf(query: Query, more: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({ limit: `${page_size}`, ...more });
  if (!parameters.has("status") && states[query.show]) parameters.set("status", states[query.show]);
  if (query.q) parameters.set("q", query.q);
  if (query.language) parameters.set("language", query.language);
  if (query.model) parameters.set("model", query.model);
  return `/v1/jobs?${parameters}`;
}

// Whether a job belongs into the list of a query. What is in the text of a job only the daemon
// knows, so a job that is new to a search is not in it before the daemon has said so.
export function fits(job: Job, query: Query): boolean {
  if (query.language && job.language !== query.language) return false;
  if (query.model && job.model !== query.model) return false;
  switch (query.show) {
    case "all":
      return true;
    case "in_work":
      return !hasEnded(job);
    case "done":
      return job.status === "done";
    case "failed":
      return job.status === "failed" || job.status === "cancelled";
  }
}

export class JobList {
  private readonly store: Store;
  private readonly fetch: Fetch;
  private asking = new AbortController();
  private last: string | null = null;

  readonly query = signal<Query>(everything);
  // In no order: `groups` puts them into one.
  readonly ids = signal<ReadonlySet<string>>(new Set());
  readonly matches = signal<ReadonlyMap<string, readonly Match[]>>(new Map());
  readonly state = signal<"loading" | "shown" | { failed: Failure }>("loading");
  readonly hasMore = signal(false);

  constructor(store: Store, fetch: Fetch) {
    this.store = store;
    this.fetch = fetch;
  }

  // Shows another query, or the same one anew.
  async show(query: Query): Promise<void> {
    this.query.value = query;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const answers = await Promise.all(firstPages(query).map((address) => this.fetch(address, signal)));
    if (signal.aborted) return;
    const failed = answers.find((one) => !one.ok);
    if (failed && !failed.ok) {
      this.state.value = { failed: failed.error };
      return;
    }
    batch(() => {
      this.ids.value = new Set();
      this.matches.value = new Map();
      for (const answer of answers) if (answer.ok) this.add(answer.value);
      const list = answers[0];
      if (list?.ok) this.end(list.value);
      this.state.value = "shown";
    });
  }

  // Shows nothing, since whoever comes next may be another person.
  clear(): void {
    this.asking.abort();
    batch(() => {
      this.ids.value = new Set();
      this.matches.value = new Map();
      this.hasMore.value = false;
      this.state.value = "loading";
    });
  }

  // Adds the next page of older jobs.
  async showMore(): Promise<void> {
    if (!this.hasMore.peek() || this.last === null) return;
    this.hasMore.value = false;
    const { signal } = this.asking;
    const answer = await this.fetch(addressOf(this.query.peek(), { after: this.last }), signal);
    if (signal.aborted) return;
    if (!answer.ok) {
      this.hasMore.value = true;
      return;
    }
    batch(() => {
      this.add(answer.value);
      this.end(answer.value);
    });
  }

  // Follows what the daemon says of jobs.
  heard(event: ServerEvent): void {
    if (event.type === "job.deleted") return this.remove(event.job.id);
    if (!("job" in event) || this.query.peek().q !== "") return;
    if (this.state.peek() === "shown" && !this.ids.peek().has(event.job.id) && this.reaches(event.job)) {
      this.ids.value = new Set([...this.ids.peek(), event.job.id]);
    }
  }

  put(job: Job): void {
    this.store.put(job);
    this.heard({ type: "job.created", job });
  }

  remove(id: string): void {
    if (!this.ids.peek().has(id)) return;
    const ids = new Set(this.ids.peek());
    ids.delete(id);
    this.ids.value = ids;
  }

  jobs(): ReadonlySignal<Job>[] {
    const found: ReadonlySignal<Job>[] = [];
    for (const id of this.ids.value) {
      const job = this.store.job(id);
      if (job) found.push(job);
    }
    return found;
  }

  // Whether a job is as new as what is shown. An older one comes with its page.
  private reaches(job: Job): boolean {
    if (!this.hasMore.peek() || !hasEnded(job)) return true;
    const last = this.last === null ? undefined : this.store.job(this.last);
    return (job.created_at ?? 0) >= (last?.peek().created_at ?? 0);
  }

  private add(page: Page): void {
    const ids = new Set(this.ids.peek());
    const matches = new Map(this.matches.peek());
    for (const job of page.data) {
      ids.add(job.id);
      if (job.matches) matches.set(job.id, job.matches);
      this.store.put(job);
    }
    this.ids.value = ids;
    this.matches.value = matches;
  }

  private end(page: Page): void {
    this.hasMore.value = page.has_more;
    this.last = page.data.at(-1)?.id ?? null;
  }
}

// The newest jobs, and those that are shown above them however old they are.
function firstPages(query: Query): string[] {
  const pages = [addressOf(query)];
  if (query.q) return pages;
  pages.push(addressOf(query, { pinned: "true" }));
  if (query.show === "all") pages.push(addressOf(query, { status: states.in_work }));
  return pages;
}
