// What this browser has begun to send, kept beyond a reload. The daemon knows how far each upload
// is; the book knows which file it was of, and what was wanted of it.

import type { JobOptions, Memory } from "../../../state/job_options.ts";

export interface BookEntry {
  key: string;
  name: string;
  size: number;
  modified: number;
  options: JobOptions;
  // The upload at the daemon, once there is one.
  uploadId: string | null;
  sent: number;
  // Whether the daemon has all of it, and only the job is not made yet.
  whole: boolean;
  // The tab that sends it, null when that was closed.
  tab: string | null;
  // When that tab last said that it is there, in milliseconds.
  seen: number;
}

const storage_key = "uploads";

// A tab says every `beat_ms` that it is there. Browsers wake a hidden tab once a minute at least.
export const beat_ms = 20_000;
const gone_ms = 150_000;

// A file is the same one again where all three agree.
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.name === b.name && a.size === b.size && a.modified === b.modified;
}

export type FileIdentity = Pick<BookEntry, "name" | "size" | "modified">;

export class UploadBook {
  private readonly memory: Memory;
  readonly tab: string;

  constructor(memory: Memory, tab: string) {
    this.memory = memory;
    this.tab = tab;
  }

  entries(): BookEntry[] {
    try {
      const kept: unknown = JSON.parse(this.memory.getItem(storage_key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isEntry) : [];
    } catch {
      return [];
    }
  }

  add(entries: Omit<BookEntry, "tab" | "seen">[], now: number): void {
    this.write([...this.entries(), ...entries.map((one) => ({ ...one, tab: this.tab, seen: now }))]);
  }

  change(key: string, changes: Partial<BookEntry>): void {
    this.write(this.entries().map((one) => (one.key === key ? { ...one, ...changes } : one)));
  }

  remove(key: string): void {
    this.write(this.entries().filter((one) => one.key !== key));
  }

  // Says that this tab is there, so that no other takes its uploads for lost.
  beat(now: number): void {
    this.write(this.entries().map((one) => (one.tab === this.tab ? { ...one, seen: now } : one)));
  }

  // Says that this tab goes.
  leave(): void {
    this.write(this.entries().map((one) => (one.tab === this.tab ? { ...one, tab: null } : one)));
  }

  // Takes over what no tab sends any more, and returns it.
  takeOrphans(now: number): BookEntry[] {
    const taken: BookEntry[] = [];
    const all = this.entries().map((one) => {
      if (one.tab !== null && now - one.seen < gone_ms) return one;
      const mine = { ...one, tab: this.tab, seen: now };
      taken.push(mine);
      return mine;
    });
    if (taken.length > 0) this.write(all);
    return taken;
  }

  // How many another tab sends at the moment.
  elsewhere(now: number): number {
    const isThere = (one: BookEntry) => one.tab !== null && now - one.seen < gone_ms;
    return this.entries().filter((one) => one.tab !== this.tab && isThere(one)).length;
  }

  private write(entries: BookEntry[]): void {
    try {
      this.memory.setItem(storage_key, JSON.stringify(entries));
    } catch {
      // Without storage a reload forgets what was being sent; the sending itself goes on.
    }
  }
}

function isEntry(kept: unknown): kept is BookEntry {
  if (typeof kept !== "object" || kept === null) return false;
  const one = kept as Record<string, unknown>;
  return typeof one.key === "string" && typeof one.name === "string" && typeof one.size === "number" &&
    typeof one.modified === "number" && typeof one.options === "object" && one.options !== null;
}
