import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../../src/api/client.ts";
import { actOnMany } from "../../src/state/many_jobs.ts";

const good: Result<null> = { ok: true, value: null, etag: null, headers: new Headers() };
const bad = (code: string): Result<null> => ({ ok: false, error: { code, message: `It is ${code}.`, status: 400 } });

const jobs = ["a", "b", "c", "d", "e"].map((id) => ({ id, name: `${id}.wav` }));

function watch() {
  const stopping = new AbortController();
  const seen: number[] = [];
  return { stopping, seen, parts: { signal: stopping.signal, progress: (n: number) => void seen.push(n), pause_ms: 0 } };
}

test("what is refused is named, and the others are done all the same", async () => {
  const { parts, seen } = watch();
  const outcome = await actOnMany(jobs, async ({ id }) => (id === "b" ? bad("job_not_found") : good), parts);
  assert.equal(outcome.done, 4);
  assert.deepEqual(outcome.refused.map(({ name, failure }) => [name, failure.code]), [["b.wav", "job_not_found"]]);
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});

test("no more than two are asked for at once", async () => {
  const { parts } = watch();
  let open = 0;
  let most = 0;
  await actOnMany(jobs, async () => {
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    return good;
  }, parts);
  assert.equal(most, 2);
});

test("a server that has had too many requests is asked again, but not for ever", async () => {
  const { parts } = watch();
  const tries = new Map<string, number>();
  const outcome = await actOnMany(jobs.slice(0, 2), async ({ id }) => {
    tries.set(id, (tries.get(id) ?? 0) + 1);
    return id === "a" && tries.get(id)! > 2 ? good : bad("rate_limit_exceeded");
  }, parts);
  assert.equal(outcome.done, 1);
  assert.deepEqual(outcome.refused.map(({ name }) => name), ["b.wav"]);
  assert.deepEqual([...tries], [["a", 3], ["b", 6]]);
});

test("after a stop no further request is sent", async () => {
  const { parts, stopping } = watch();
  const asked: string[] = [];
  const outcome = await actOnMany(jobs, async ({ id }) => {
    asked.push(id);
    if (asked.length === 2) stopping.abort();
    return good;
  }, parts);
  assert.deepEqual(asked, ["a", "b"]);
  assert.equal(outcome.done, 2);
});
