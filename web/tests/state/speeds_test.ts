import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../src/api/types.ts";
import { medianOf, speedsOf } from "../../src/state/speeds.ts";

const job = (title: string, more: Partial<Job>): Job =>
  ({ title, status: "done", duration: 60, started_at: 100, finished_at: 102, ...more }) as Job;

test("speeds are those of recordings that ended well, the oldest first", () => {
  const jobs = [
    job("new", {}),
    job("failed", { status: "failed" }),
    job("unknown", { duration: null }),
    job("at once", { finished_at: 100 }),
    job("old", { duration: 120 }),
  ];
  assert.deepEqual(speedsOf(jobs), [
    { title: "old", times: 60 },
    { title: "new", times: 30 },
  ]);
  assert.deepEqual(speedsOf(jobs, 1), [{ title: "new", times: 30 }]);
});

test("a live session took as long as somebody spoke, and is no figure", () => {
  assert.deepEqual(speedsOf([{ ...job("live", {}), live: true } as Job]), []);
});

test("the median of nothing is nothing", () => {
  assert.equal(medianOf([]), null);
  assert.equal(medianOf([1, 9, 4].map((times) => ({ title: "", times }))), 4);
});
