import assert from "node:assert/strict";
import { test } from "node:test";
import type { CatalogModel, Job } from "../../../src/api/types.ts";
import { measuredOf, suggestedOf } from "../../../src/screens/models/measured.ts";

// A recording of a minute that took so many seconds.
const job = (model: string, took: number, more: Partial<Job> = {}): Job =>
  ({ title: "", model, status: "done", duration: 60, started_at: 100, finished_at: 100 + took, ...more }) as Job;

const model = (id: string, parameters: string | null, more: Partial<CatalogModel> = {}): CatalogModel =>
  ({ id, parameters, installed: true, languages: ["en", "de"], ...more }) as CatalogModel;

const models = [model("tiny", "39 M"), model("small", "244 M"), model("large-v3", "1550 M")];

test("each model has the median of its own recordings", () => {
  const measured = measuredOf([job("tiny", 1), job("tiny", 2), job("tiny", 6), job("small", 12)]);
  assert.deepEqual(measured.get("tiny"), { times: 30, count: 3 });
  assert.deepEqual(measured.get("small"), { times: 5, count: 1 });
});

test("short recordings and failures are no measure", () => {
  assert.equal(measuredOf([job("tiny", 1, { duration: 59 }), job("tiny", 1, { status: "failed" })]).size, 0);
});

test("the largest that is faster than real time is suggested", () => {
  const measured = measuredOf([job("tiny", 1), job("small", 12), job("large-v3", 90)]);
  assert.equal(suggestedOf(models, measured)?.id, "small");
  assert.equal(suggestedOf(models, measuredOf([job("tiny", 1), job("large-v3", 59)]))?.id, "large-v3");
});

test("nothing is suggested of what was not measured, or is not here", () => {
  assert.equal(suggestedOf(models, new Map()), null);
  assert.equal(suggestedOf(models, measuredOf([job("tiny", 1)])), null, "one is no choice");
  assert.equal(suggestedOf(models, measuredOf([job("tiny", 70), job("small", 80)])), null, "none is fast enough");
  const gone = [model("tiny", "39 M"), model("base", "74 M"), model("small", "244 M", { installed: false })];
  const measured = measuredOf([job("tiny", 1), job("base", 2), job("small", 12)]);
  assert.equal(suggestedOf(gone, measured)?.id, "base");
});

test("a model of English alone is suggested to nobody", () => {
  const some = [model("tiny", "39 M"), model("base", "74 M"), model("medium.en", "769 M", { languages: ["en"] })];
  const measured = measuredOf([job("tiny", 1), job("base", 2), job("medium.en", 12)]);
  assert.equal(suggestedOf(some, measured)?.id, "base");
});
