import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../src/events/poll.ts";
import type { Job } from "../../src/events/types.ts";
import { done, job, running } from "./jobs.ts";

const told = (events: ReturnType<typeof differences>) =>
  events.map((event) => ("job" in event ? `${event.type} ${event.job.id}` : event.type));

const whole = (data: Job[]) => ({ data, has_more: false });

test("a list is turned into the events that a stream would have had", () => {
  const known = [running({ id: "b", created_at: 2 }), job({ id: "c", created_at: 3 }), done({ id: "d", created_at: 4 })];
  const listed = [
    job({ id: "e", created_at: 5 }),
    done({ id: "d", created_at: 4, title: "renamed" }),
    running({ id: "c", created_at: 3 }),
    done({ id: "b", created_at: 2 }),
  ];
  assert.deepEqual(told(differences(known, whole(listed))), [
    "job.ended b", "job.progress c", "job.edited d", "job.created e",
  ]);
  assert.deepEqual(told(differences(listed, whole(listed))), []);
});

test("a job that is not listed is deleted, unless it is older than the list reaches", () => {
  const known = [done({ id: "old", created_at: 1 }), done({ id: "gone", created_at: 5 })];
  const newest = [done({ id: "x", created_at: 3 }), done({ id: "y", created_at: 9 })];
  assert.deepEqual(told(differences(known, { data: newest, has_more: true })), [
    "job.created y", "job.created x", "job.deleted gone",
  ]);
  assert.deepEqual(told(differences(known, whole([]))), ["job.deleted old", "job.deleted gone"]);
});
