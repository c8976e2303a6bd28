import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../../src/events/store.ts";
import type { Job } from "../../../src/events/types.ts";
import { addressOf, everything, fits, JobList } from "../../../src/screens/recordings/job_list.ts";
import { done, job, running } from "../../events/jobs.ts";

// A daemon that has these jobs, and answers as its routes do; pages have two jobs.
function listOf(all: Job[]) {
  // Answers wait for what stands here.
  const line: { isFree: Promise<void> } = { isFree: Promise.resolve() };
  const store = new Store();
  const list = new JobList(store, async (address) => {
    await line.isFree;
    const query = new URL(address, "http://x").searchParams;
    let found = all;
    if (query.has("pinned")) found = found.filter((one) => one.pinned);
    if (query.has("status")) found = found.filter((one) => query.get("status")!.split(",").includes(one.status));
    if (query.has("after")) found = found.slice(found.findIndex(({ id }) => id === query.get("after")) + 1);
    if (query.has("q")) found = found.filter(({ title }) => title!.includes(query.get("q")!));
    const value = { data: found.slice(0, 2), has_more: found.length > 2 };
    return { ok: true, value, etag: null, headers: new Headers() };
  });
  return { list, store, line };
}

const ids = (list: JobList) => [...list.ids.peek()].sort().join(" ");

const jobs = [
  done({ id: "e", created_at: 5 }), done({ id: "d", created_at: 4 }), done({ id: "c", created_at: 3 }),
  running({ id: "b", created_at: 2 }), done({ id: "a", created_at: 1, pinned: true }),
];

test("what is pinned and what is in work is there with the first page, however old it is", async () => {
  const { list } = listOf(jobs);
  await list.show(everything);
  assert.equal(ids(list), "a b d e");
  assert.ok(list.hasMore.peek());
  await list.showMore();
  assert.equal(ids(list), "a b c d e");
  await list.showMore();
  assert.ok(!list.hasMore.peek());
});

test("a job that is new, or runs, joins the list; one that is older than its end does not", async () => {
  const { list, store } = listOf(jobs);
  await list.show(everything);
  const hear = (one: Job) => {
    store.put(one);
    list.heard({ type: "job.created", job: one });
  };
  hear(job({ id: "f", created_at: 6 }));
  hear(done({ id: "old", created_at: 0 }));
  assert.equal(ids(list), "a b d e f");
  list.heard({ type: "job.deleted", job: { id: "e" } });
  assert.equal(ids(list), "a b d f");
});

test("only the daemon knows what a search finds", async () => {
  const { list } = listOf([done({ id: "a", title: "lamp.wav" }), done({ id: "b", title: "tape.wav" })]);
  await list.show({ ...everything, q: "lamp" });
  list.heard({ type: "job.created", job: job({ id: "c", title: "lamp too" }) });
  assert.equal(ids(list), "a");
});

test("an answer that was overtaken by another query is not shown", async () => {
  const { list, line } = listOf(jobs);
  let free = () => {};
  line.isFree = new Promise((resolve) => (free = resolve));
  const first = list.show(everything);
  line.isFree = Promise.resolve();
  await list.show({ ...everything, show: "in_work" });
  free();
  await first;
  assert.equal(ids(list), "b");
});

test("an address says no more than is wanted", () => {
  assert.equal(addressOf(everything), "/v1/jobs?limit=100");
  assert.equal(
    addressOf({ q: "a & b", show: "failed", language: "de", model: "base" }),
    "/v1/jobs?limit=100&status=failed%2Ccancelled&q=a+%26+b&language=de&model=base",
  );
});

test("a job that has ended leaves the list of those in work", () => {
  const query = { ...everything, show: "in_work" } as const;
  assert.ok(fits(running({ id: "a" }), query));
  assert.ok(!fits(done({ id: "a" }), query));
  assert.ok(!fits(done({ id: "a", language: "en" }), { ...everything, language: "de" }));
});
