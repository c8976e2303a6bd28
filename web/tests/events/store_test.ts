import assert from "node:assert/strict";
import { test } from "node:test";
import { effect } from "@preact/signals";
import { Store } from "../../src/events/store.ts";
import type { ServerEvent } from "../../src/events/types.ts";
import { done, job, running } from "./jobs.ts";

test("a job is drawn anew when it changes, and others are not", () => {
  const store = new Store();
  store.put(job({ id: "a" }));
  store.put(job({ id: "b" }));
  const drawn = { a: 0, b: 0 };
  effect(() => void (store.job("a")?.value, (drawn.a += 1)));
  effect(() => void (store.job("b")?.value, (drawn.b += 1)));
  store.apply({ type: "job.progress", job: running({ id: "a", position: 3 }) });
  assert.deepEqual(drawn, { a: 2, b: 1 });
  assert.equal(store.job("a")?.peek().position, 3);
});

test("a report that was overtaken does not take a job back", () => {
  const store = new Store();
  store.apply({ type: "job.progress", job: running({ id: "a", position: 40 }) });
  store.put(running({ id: "a", position: 30 }));
  assert.equal(store.job("a")?.peek().position, 40);
  store.apply({ type: "job.ended", job: done({ id: "a", position: 60 }) });
  store.apply({ type: "job.progress", job: running({ id: "a", position: 50 }) });
  assert.equal(store.job("a")?.peek().status, "done");
});

test("a job that is begun again after a crash may stand further back", () => {
  const store = new Store();
  store.put(running({ id: "a", position: 40, attempts: 1 }));
  store.put(running({ id: "a", position: 0, attempts: 2 }));
  assert.equal(store.job("a")?.peek().position, 0);
});

test("what was edited after the end counts", () => {
  const store = new Store();
  store.put(done({ id: "a", title: "talk.wav" }));
  store.apply({ type: "job.edited", job: done({ id: "a", title: "The talk" }) });
  assert.equal(store.job("a")?.peek().title, "The talk");
});

test("listeners hear of an event with the job as it was before", () => {
  const store = new Store();
  const heard: [ServerEvent["type"], string | undefined][] = [];
  const end = store.listen((event, before) => heard.push([event.type, before?.status]));
  store.apply({ type: "job.created", job: job({ id: "a" }) });
  store.apply({ type: "job.ended", job: done({ id: "a" }) });
  store.apply({ type: "job.deleted", job: { id: "a" } });
  end();
  store.apply({ type: "reset" });
  assert.deepEqual(heard, [
    ["job.created", undefined],
    ["job.ended", "queued"],
    ["job.deleted", "done"],
  ]);
  assert.equal(store.job("a"), undefined);
});

test("a model that is fetched has a pace, and none of the fetch before", () => {
  const store = new Store();
  const report = (done_bytes: number, now: number) =>
    store.apply({ type: "model.progress", model: "base", done_bytes, total_bytes: 1000 }, now);
  report(0, 0);
  report(400, 2000);
  assert.deepEqual(store.pulls.peek().get("base"), { done: 400, total: 1000, perSecond: 200 });
  store.apply({ type: "model.ended", model: "base", error: null });
  assert.equal(store.pulls.peek().size, 0);
  report(500, 4000);
  assert.equal(store.pulls.peek().get("base")?.perSecond, null);
});
