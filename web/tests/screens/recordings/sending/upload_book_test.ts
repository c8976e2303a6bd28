import assert from "node:assert/strict";
import { test } from "node:test";
import { first_options } from "../../../../src/state/job_options.ts";
import { UploadBook } from "../../../../src/screens/recordings/sending/upload_book.ts";
import { MemoryOfTest } from "../../../state/memory.ts";

const entry = (key: string) => ({
  key, name: `${key}.wav`, size: 10, modified: 1, options: first_options, uploadId: null, sent: 0, whole: false,
});

test("what a tab sent is there for the next one when the tab was closed", () => {
  const memory = new MemoryOfTest();
  const first = new UploadBook(memory, "one");
  first.add([entry("a"), entry("b")], 0);
  first.change("a", { uploadId: "u1", sent: 4 });
  first.remove("b");
  first.leave();
  const taken = new UploadBook(memory, "two").takeOrphans(1000);
  assert.deepEqual(taken, [{ ...entry("a"), uploadId: "u1", sent: 4, tab: "two", seen: 1000 }]);
});

test("what another tab still sends is left to it, until it has not been seen for long", () => {
  const memory = new MemoryOfTest();
  const first = new UploadBook(memory, "one");
  const second = new UploadBook(memory, "two");
  first.add([entry("a")], 0);
  assert.deepEqual(second.takeOrphans(100_000), []);
  assert.equal(second.elsewhere(100_000), 1);
  assert.equal(first.elsewhere(100_000), 0);
  first.beat(100_000);
  assert.deepEqual(second.takeOrphans(200_000), []);
  assert.equal(second.takeOrphans(251_000).length, 1);
  assert.equal(second.takeOrphans(251_000).length, 0, "it is its own now");
});

test("a book that nobody can read is empty", () => {
  const memory = new MemoryOfTest();
  for (const kept of ["{", "7", '[null, {"key":1}, "x"]']) {
    memory.setItem("uploads", kept);
    assert.deepEqual(new UploadBook(memory, "one").entries(), []);
  }
});

test("a browser that keeps nothing is no error", () => {
  const full = { getItem: () => null, setItem: () => { throw new Error("full"); } };
  new UploadBook(full, "one").add([entry("a")], 0);
});
