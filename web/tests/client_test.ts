import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { failureOf, get, keyWanted, patch, reachable } from "../src/api/client.ts";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  reachable.value = true;
  keyWanted.value = false;
});

// What a daemon would answer, and what it was asked.
function answering(body: string, init: ResponseInit): { path: string; init: RequestInit }[] {
  const asked: { path: string; init: RequestInit }[] = [];
  globalThis.fetch = async (path, sent) => {
    asked.push({ path: String(path), init: sent ?? {} });
    return new Response(body, init);
  };
  return asked;
}

test("addresses are relative to the page, and versions go as If-Match", async () => {
  const asked = answering('{"version":8}', { headers: { etag: '"8"' } });
  const answer = await patch<{ version: number }>("/v1/jobs/a/transcript", { ops: [] }, { ifMatch: "7" });
  assert.equal(asked[0]?.path, "v1/jobs/a/transcript");
  assert.equal(new Headers(asked[0]?.init.headers).get("if-match"), '"7"');
  assert.ok(answer.ok && answer.value.version === 8 && answer.etag === "8");
});

test("an error is a value with what to do", async () => {
  const error = { message: "No room.", code: "no_room", type: "server_error", param: null, fix: "Delete something." };
  answering(JSON.stringify({ error }), { status: 507 });
  const answer = await get("/v1/jobs");
  assert.ok(!answer.ok);
  assert.equal(answer.error.code, "no_room");
  assert.equal(answer.error.fix, "Delete something.");
  assert.equal(answer.error.param, undefined);
  assert.equal(answer.error.status, 507);
});

test("an answer that is no JSON is still an error with a code", () => {
  assert.equal(failureOf(null, 502).code, "http_502");
  assert.equal(failureOf({ error: "text" }, 500).message, "HTTP 500");
});

test("a daemon that asks for a key has the sign-in screen shown", async () => {
  answering('{"error":{"message":"A key is needed.","code":"unauthorized"}}', { status: 401 });
  await get("/v1/jobs");
  assert.equal(keyWanted.value, true);
});

test("a daemon that does not answer is told of, a request that was given up is not", async () => {
  globalThis.fetch = () => Promise.reject(new DOMException("aborted", "AbortError"));
  const aborted = await get("/v1/jobs");
  assert.ok(!aborted.ok && aborted.error.code === "aborted");
  assert.equal(reachable.value, true);
  globalThis.fetch = () => Promise.reject(new TypeError("failed"));
  const lost = await get("/v1/jobs");
  assert.ok(!lost.ok && lost.error.code === "unreachable" && lost.error.status === 0);
  assert.equal(reachable.value, false);
});
