// Words that are not saved yet, kept in the browser's storage: they outlive their tab and the daemon.
// Each tab has a place of its own; who opens the recording next takes over what no tab cares for.
import type { Kept } from "./editor.ts";

export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const prefix = "scribed.outbox.";

export class Outbox {
  private readonly storage: Storage;
  private readonly job: string;
  readonly tab: string;

  constructor(storage: Storage, job: string, tab: string) {
    this.storage = storage;
    this.job = job;
    this.tab = tab;
  }

  // Returns whether the browser has kept it.
  write(kept: Kept | null): boolean {
    try {
      if (kept === null) this.storage.removeItem(this.nameOf(this.tab));
      else this.storage.setItem(this.nameOf(this.tab), JSON.stringify(kept));
      return true;
    } catch {
      return false;
    }
  }

  // Tabs other than this one that have left something.
  others(): string[] {
    const found: string[] = [];
    const start = this.nameOf("");
    for (let index = 0; index < this.storage.length; index += 1) {
      const name = this.storage.key(index);
      if (name?.startsWith(start) && name !== this.nameOf(this.tab)) found.push(name.slice(start.length));
    }
    return found;
  }

  read(tab: string): Kept | null {
    try {
      const kept: unknown = JSON.parse(this.storage.getItem(this.nameOf(tab)) ?? "null");
      return isKept(kept) ? kept : null;
    } catch {
      return null;
    }
  }

  remove(tab: string): void {
    try {
      this.storage.removeItem(this.nameOf(tab));
    } catch {
      // It is repeated under its ids, which the daemon knows.
    }
  }

  private nameOf(tab: string): string {
    return `${prefix}${this.job}.${tab}`;
  }
}

function isKept(value: unknown): value is Kept {
  const kept = value as Kept | null;
  return (
    typeof kept?.version === "number" &&
    Array.isArray(kept.entries) &&
    kept.entries.every((entry) => typeof entry?.id === "string" && typeof entry.work?.op === "string")
  );
}

type Call = { ask: string } | { here: string };

const patience_ms = 250;

// Tabs ask each other who is there. One that sleeps does not answer; then both send the same
// entries, which the daemon takes once.
export class Roll {
  private readonly channel = new BroadcastChannel("scribed-reader");
  private readonly heard = new Set<string>();

  constructor(tab: string) {
    this.channel.onmessage = ({ data }: MessageEvent<Call>) => {
      if ("here" in data) this.heard.add(data.here);
      else if (data.ask === tab) this.channel.postMessage({ here: tab } satisfies Call);
    };
  }

  // Returns those of `tabs` that do not answer.
  async absent(tabs: readonly string[]): Promise<string[]> {
    if (tabs.length === 0) return [];
    this.heard.clear();
    for (const ask of tabs) this.channel.postMessage({ ask } satisfies Call);
    await new Promise((resolve) => setTimeout(resolve, patience_ms));
    return tabs.filter((tab) => !this.heard.has(tab));
  }

  close(): void {
    this.channel.close();
  }
}
