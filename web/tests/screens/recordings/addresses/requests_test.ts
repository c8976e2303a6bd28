import assert from "node:assert/strict";
import { test } from "node:test";
import type { Result } from "../../../../src/api/client.ts";
import type { Job } from "../../../../src/events/types.ts";
import { AddressRequests, type AddressRequest } from "../../../../src/screens/recordings/addresses/requests.ts";
import { job } from "../../../events/jobs.ts";

const refusal: Result<Job> = { ok: false, error: { code: "url_refused", message: "No.", status: 400 } };
const taken = (id: string): Result<Job> => ({ ok: true, value: job({ id }), etag: null, headers: new Headers() });

// A daemon that answers when a test says so.
function requestsOf() {
  const asked: { one: AddressRequest; signal: AbortSignal; answer: (result: Result<Job>) => void }[] = [];
  const jobs: string[] = [];
  const keys = { next: 0 };
  const requests = new AddressRequests({
    submit: (one, signal) => new Promise((answer) => asked.push({ one, signal, answer })),
    submitted: ({ id }) => jobs.push(id),
    newKey: () => `${(keys.next += 1)}`,
  });
  const answer = async (place: number, result: Result<Job>) => {
    asked[place]!.answer(result);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { requests, asked, jobs, answer };
}

test("an address that was taken becomes a job", async () => {
  const { requests, asked, jobs, answer } = requestsOf();
  requests.add("https://a.org/1", [["model", "base"]]);
  assert.deepEqual(asked[0]?.one.fields, [["model", "base"]]);
  assert.equal(requests.all.peek().length, 1);
  await answer(0, taken("j"));
  assert.deepEqual(jobs, ["j"]);
  assert.equal(requests.all.peek().length, 0);
});

test("a refusal stays until it is tried again, with the same key", async () => {
  const { requests, asked, jobs, answer } = requestsOf();
  requests.add("https://a.org/1", []);
  requests.retry("1"); // it is under way
  assert.equal(asked.length, 1);
  await answer(0, refusal);
  assert.equal(requests.all.peek()[0]?.failure?.code, "url_refused");
  requests.retry("1");
  assert.equal(requests.all.peek()[0]?.failure, null);
  assert.equal(asked[1]?.one.key, "1");
  await answer(1, taken("j"));
  assert.deepEqual(jobs, ["j"]);
});

test("one that was stopped is gone, and told of only if its job was made all the same", async () => {
  const { requests, asked, jobs, answer } = requestsOf();
  requests.add("https://a.org/1", []);
  requests.add("https://a.org/2", []);
  requests.drop("1");
  assert.ok(asked[0]?.signal.aborted);
  assert.deepEqual(requests.all.peek().map(({ url }) => url), ["https://a.org/2"]);
  await answer(0, refusal);
  assert.equal(requests.all.peek().length, 1);
  requests.drop("2");
  await answer(1, taken("j"));
  assert.deepEqual(jobs, ["j"]);
});
