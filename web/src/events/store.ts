// What every screen of the page knows of the daemon, as signals. Events, lists and polls write it;
// screens read it.

import { signal, type ReadonlySignal, type Signal } from "@preact/signals";

import { newer } from "./newer.ts";
import { Pace } from "./pace.ts";
import type { Connection, DaemonStatus, Job, Pull, ServerEvent } from "./types.ts";

type PullReport = Extract<ServerEvent, { type: "model.progress" }>;

export type Listener = (event: ServerEvent, before: Job | undefined) => void;

export class Store {
  // A signal for each job, so that a row is drawn anew only when its own job changes.
  private readonly jobs = new Map<string, Signal<Job>>();
  private readonly paces = new Map<string, Pace>();
  private readonly listeners = new Set<Listener>();

  readonly pulls = signal<ReadonlyMap<string, Pull>>(new Map());
  readonly status = signal<DaemonStatus | null>(null);
  readonly connection = signal<Connection>({ state: "connecting" });

  job(id: string): ReadonlySignal<Job> | undefined {
    return this.jobs.get(id);
  }

  known(): Job[] {
    return [...this.jobs.values()].map((one) => one.peek());
  }

  // Takes what a list, a single answer or an event says of a job.
  put(told: Job): ReadonlySignal<Job> {
    const there = this.jobs.get(told.id);
    if (!there) {
      const made = signal(told);
      this.jobs.set(told.id, made);
      return made;
    }
    there.value = newer(there.peek(), told);
    return there;
  }

  apply(event: ServerEvent, now = Date.now()): void {
    const before = "job" in event ? this.jobs.get(event.job.id)?.peek() : undefined;
    this.take(event, now);
    for (const listener of [...this.listeners]) listener(event, before);
  }

  // Calls `listener` after each event, with the job as it was before. Returns what ends that.
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private take(event: ServerEvent, now: number): void {
    switch (event.type) {
      case "job.created":
      case "job.progress":
      case "job.ended":
      case "job.edited":
        this.put(event.job);
        return;
      case "job.deleted":
        this.jobs.delete(event.job.id);
        return;
      case "model.progress":
        this.setPull(event.model, this.pullAfter(event, now));
        return;
      case "model.ended":
        this.paces.delete(event.model);
        this.setPull(event.model, null);
        return;
      case "status":
        this.status.value = event;
        return;
      case "model.removed":
      case "reset":
        return;
    }
  }

  private pullAfter(report: PullReport, now: number): Pull {
    const pace = this.paces.get(report.model) ?? new Pace();
    this.paces.set(report.model, pace);
    pace.add(now, report.done_bytes);
    return { done: report.done_bytes, total: report.total_bytes, perSecond: pace.perSecond };
  }

  private setPull(model: string, pull: Pull | null): void {
    const pulls = new Map(this.pulls.peek());
    if (pull) pulls.set(model, pull);
    else pulls.delete(model);
    this.pulls.value = pulls;
  }
}
