// Addresses that the daemon downloads in place of a file: one request for each, which is answered when
// the daemon has it all.

import { signal, type ReadonlySignal } from "@preact/signals";

import type { Failure, Result } from "../../../api/client.ts";
import type { Job } from "../../../events/types.ts";

export interface AddressRequest {
  key: string;
  url: string;
  fields: [string, string][]; // of the job
  failure: Failure | null; // null: it is under way
}

export interface RequestParts {
  submit: (one: AddressRequest, signal: AbortSignal) => Promise<Result<Job>>;
  submitted: (job: Job) => void;
  newKey: () => string;
}

export class AddressRequests {
  private readonly parts: RequestParts;
  private readonly open = signal<readonly AddressRequest[]>([]);
  private readonly stops = new Map<string, AbortController>();

  constructor(parts: RequestParts) {
    this.parts = parts;
  }

  get all(): ReadonlySignal<readonly AddressRequest[]> {
    return this.open;
  }

  add(url: string, fields: [string, string][]): void {
    const one = { key: this.parts.newKey(), url, fields, failure: null };
    this.open.value = [...this.open.peek(), one];
    void this.send(one);
  }

  retry(key: string): void {
    const one = this.open.peek().find((other) => other.key === key);
    if (!one?.failure) return;
    this.set(key, null);
    void this.send(one);
  }

  // Ends the download, too.
  drop(key: string): void {
    this.stops.get(key)?.abort();
    this.open.value = this.open.peek().filter((other) => other.key !== key);
  }

  private async send(one: AddressRequest): Promise<void> {
    const stop = new AbortController();
    this.stops.set(one.key, stop);
    const answer = await this.parts.submit(one, stop.signal);
    if (!answer.ok) return this.set(one.key, answer.error);
    this.parts.submitted(answer.value);
    this.drop(one.key);
  }

  private set(key: string, failure: Failure | null): void {
    this.open.value = this.open.peek().map((one) => (one.key === key ? { ...one, failure } : one));
  }
}
