import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../src/events/types.ts";
import {
  bytesOf, largestOf, oldestOf, oldOnes, partsOf, storedOf, usual_choice, type Stored,
} from "../../../src/screens/storage/inventory.ts";
import { done, job, running } from "../../events/jobs.ts";

const day = 86_400;
const now = 1000 * day;
const nobody = new Set<string>();

function stored(id: string, changes: Partial<Stored> = {}): Stored {
  return { id, name: id, at: now - 40 * day, bytes: 0, pinned: false, edited: false, shared: false, ...changes };
}

const ids = (some: readonly Stored[]) => some.map(({ id }) => id).join(" ");

test("what has not ended is not among what can be deleted", () => {
  assert.equal(storedOf(job({ id: "a" }), nobody), null);
  assert.equal(storedOf(running({ id: "a" }), nobody), null);
});

test("a recording is as old as its end, and as large as its audio", () => {
  const audio = { bytes: 64_000, seconds: 2, whole: true };
  const one = storedOf(done({ id: "a", created_at: 5, finished_at: 9, audio }), new Set(["a"]));
  assert.deepEqual(one, { id: "a", name: "talk.wav", at: 9, bytes: 64_000, pinned: false, edited: false, shared: true });
  assert.equal(storedOf(done({ id: "b", created_at: 5 }), nobody)?.at, 5);
});

test("edits, titles and names of speakers are work of somebody; labels of speakers are not", () => {
  const isEdited = (changes: Partial<Job>) => storedOf(done({ id: "a", ...changes }), nobody)?.edited;
  assert.equal(isEdited({ speaker_names: { A: "A", B: "B" } }), false);
  assert.equal(isEdited({ speaker_names: { A: "Ada", B: "B" } }), true);
  assert.equal(isEdited({ version: 1 }), true);
  assert.equal(isEdited({ title: "Minutes" }), true);
});

test("only what is old enough is deleted, and nothing that somebody has put work into", () => {
  const all = [
    stored("old"), stored("new", { at: now - 29 * day }), stored("edge", { at: now - 30 * day }),
    stored("pinned", { pinned: true }), stored("edited", { edited: true }), stored("shared", { shared: true }),
  ];
  assert.equal(ids(oldOnes(all, usual_choice, now)), "old edge");
  assert.equal(ids(oldOnes(all, { ...usual_choice, days: 0 }, now)), "old new edge");
  assert.equal(ids(oldOnes(all, { ...usual_choice, pinned: true }, now)), "old edge pinned");
  assert.equal(ids(oldOnes(all, { ...usual_choice, edited: true }, now)), "old edge edited");
  assert.equal(ids(oldOnes(all, { ...usual_choice, shared: true }, now)), "old edge shared");
});

test("one that is pinned and shared is deleted only if both are chosen", () => {
  const both = [stored("both", { pinned: true, shared: true })];
  assert.equal(ids(oldOnes(both, { ...usual_choice, pinned: true }, now)), "");
  assert.equal(ids(oldOnes(both, { ...usual_choice, pinned: true, shared: true }, now)), "both");
});

test("the largest have audio, the oldest come first", () => {
  const all = [stored("a", { bytes: 5, at: 3 }), stored("b", { bytes: 9, at: 2 }), stored("c", { at: 1 })];
  assert.equal(ids(largestOf(all, 10)), "b a");
  assert.equal(ids(largestOf(all, 1)), "b");
  assert.equal(ids(oldestOf(all, 2)), "c b");
  assert.equal(ids(all), "a b c");
  assert.equal(bytesOf(all), 14);
});

test("a bar is as long as the limit, and shows even what is small", () => {
  assert.deepEqual(partsOf([250, 0, 250], 1000), [250, 0, 250]);
  assert.deepEqual(partsOf([1, 0, 0], 1_000_000), [4, 0, 0]);
  assert.deepEqual(partsOf([30, 10, 0], null), [750, 250, 0]);
  assert.deepEqual(partsOf([30, 10, 0], 20), [750, 250, 0]);
  assert.deepEqual(partsOf([0, 0, 0], null), [0, 0, 0]);
});
