import type { Memory } from "../../src/state/job_options.ts";

// What localStorage does, for one test.
export class MemoryOfTest implements Memory {
  private readonly kept = new Map<string, string>();

  getItem(name: string): string | null {
    return this.kept.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.kept.set(name, value);
  }
}
