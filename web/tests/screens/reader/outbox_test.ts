import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox, Roll, type Storage } from "../../../src/screens/reader/saving/outbox.ts";

class Memory implements Storage {
  readonly map = new Map<string, string>();
  full = false;

  get length(): number {
    return this.map.size;
  }

  key(index: number): string | null {
    return [...this.map.keys()][index] ?? null;
  }

  getItem(name: string): string | null {
    return this.map.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    if (this.full) throw new Error("QuotaExceededError");
    this.map.set(name, value);
  }

  removeItem(name: string): void {
    this.map.delete(name);
  }
}

const kept = { version: 3, entries: [{ id: "a.1", work: { op: "delete", segment: "4" } as const }] };

test("what a tab could not save is found by others of the same recording", () => {
  const memory = new Memory();
  assert.ok(new Outbox(memory, "job", "a").write(kept));
  const other = new Outbox(memory, "job", "b");
  assert.deepEqual(other.others(), ["a"]);
  assert.deepEqual(other.read("a"), kept);
  assert.deepEqual(new Outbox(memory, "another", "b").others(), []);
  other.remove("a");
  assert.deepEqual(other.others(), []);
});

test("nothing is left of what was saved", () => {
  const memory = new Memory();
  const outbox = new Outbox(memory, "job", "a");
  outbox.write(kept);
  outbox.write(null);
  assert.equal(memory.length, 0);
});

test("a browser that keeps nothing says so", () => {
  const memory = new Memory();
  memory.full = true;
  assert.equal(new Outbox(memory, "job", "a").write(kept), false);
});

test("what is no outbox is not taken for one", () => {
  const memory = new Memory();
  for (const broken of ["{", "null", "[]", '{"version":1}', '{"version":1,"entries":[{}]}']) {
    memory.setItem("scribed.outbox.job.a", broken);
    assert.equal(new Outbox(memory, "job", "b").read("a"), null);
  }
});

test("a tab that is there answers, and one that is gone does not", async () => {
  const [here, asking] = [new Roll("here"), new Roll("asking")];
  assert.deepEqual(await asking.absent(["here", "gone"]), ["gone"]);
  here.close();
  asking.close();
});
