import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, groupsOf } from "../../../src/screens/recordings/groups.ts";
import { done, job, running } from "../../events/jobs.ts";

const now = new Date(2026, 10, 24, 12, 0);
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime() / 1000;
const shape = (groups: ReturnType<typeof groupsOf>) => groups.map(({ key, jobs }) => [key, ...jobs.map(({ id }) => id)]);

test("work comes first in the order of its turn, then what is pinned, then days", () => {
  const jobs = [
    job({ id: "third", queue_place: 2, created_at: at(24, 11) }),
    done({ id: "today", created_at: at(24, 10) }),
    running({ id: "first", created_at: at(24, 9) }),
    job({ id: "second", queue_place: 1, created_at: at(24, 11) }),
    done({ id: "pin", pinned: true, created_at: at(1, 9) }),
    done({ id: "late", created_at: at(23, 23) }),
    done({ id: "early", created_at: at(23, 1) }),
    done({ id: "month", created_at: at(2, 1) }),
  ];
  assert.deepEqual(shape(groupsOf(jobs, now, false)), [
    ["in_work", "first", "second", "third"],
    ["pinned", "pin"],
    ["today", "today"],
    ["yesterday", "late", "early"],
    ["2026-10", "month"],
  ]);
});

test("what was found is one group, the newest first", () => {
  const jobs = [done({ id: "a", created_at: 1 }), running({ id: "b", created_at: 3 }), done({ id: "c", created_at: 2 })];
  assert.deepEqual(shape(groupsOf(jobs, now, true)), [["found", "b", "c", "a"]]);
  assert.deepEqual(groupsOf([], now, true), []);
});

test("days are those of the calendar", () => {
  assert.equal(dayOf(new Date(2026, 10, 24, 0, 1), now), "today");
  assert.equal(dayOf(new Date(2026, 10, 23, 23, 59), now), "yesterday");
  assert.equal(dayOf(new Date(2026, 10, 18), now), "week");
  assert.deepEqual(dayOf(new Date(2026, 10, 17), now), { month: 10, year: 2026 });
  assert.equal(dayOf(new Date(2026, 10, 25), now), "today");
});
