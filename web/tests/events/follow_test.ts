import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, type FollowOptions } from "../../src/events/follow.ts";
import { readStream, type StreamEnd } from "../../src/events/stream.ts";
import { waitAfter } from "../../src/events/waits.ts";

test("waits grow up to half a minute", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 99].map(waitAfter), [1, 2, 5, 10, 20, 30, 30]);
});

// Streams that end as they are told, the next one asked for at once.
function following(ends: StreamEnd[]): { options: FollowOptions; said: string[] } {
  const said: string[] = [];
  const stop = new AbortController();
  const wakeUp = new EventTarget();
  const options: FollowOptions = {
    event: (event, id) => said.push(`${event.type} ${id}`),
    connection: (now) => {
      said.push(now.state === "lost" ? `lost ${now.answered}` : now.state);
      if (now.state === "lost") queueMicrotask(() => wakeUp.dispatchEvent(new Event("online")));
    },
    signal: stop.signal,
    lastId: () => "k-7",
    poll: async () => void said.push("poll"),
    signedIn: async () => void said.push("sign in"),
    wakeUp,
    read: async ({ lastId, onOpen, onMessage }) => {
      const end = ends.shift();
      if (!end) {
        stop.abort();
        return "broken";
      }
      if (end === "broken") {
        onOpen();
        onMessage({ id: "k-8", data: '{"type":"reset"}' });
        onMessage({ id: "k-9", data: "no JSON" });
      }
      said.push(`after ${lastId}`);
      return end;
    },
  };
  return { options, said };
}

test("a stream that breaks is taken up behind the last event, and what cannot be read is passed over", async () => {
  const { options, said } = following(["broken"]);
  await follow(options);
  assert.deepEqual(said, ["open", "reset k-8", "after k-7", "lost true"]);
});

test("nobody answers, somebody has to sign in, there is no stream: each is told and dealt with", async () => {
  const { options, said } = following(["unanswered", "signed_out", "refused"]);
  await follow(options);
  assert.deepEqual(said, ["after k-7", "lost false", "after k-7", "sign in", "after k-7", "refused", "poll"]);
});

test("a line that keeps events back is as good as none", async () => {
  const silent = new ReadableStream({ start: () => undefined });
  const end = await readStream({
    lastId: null,
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onMessage: () => undefined,
    firstMs: 10,
    fetch: async (_, init) => {
      const body = silent.pipeThrough(new TransformStream(), { signal: init!.signal! });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  assert.equal(end, "refused");
});

async function endOf(answer: Response | Error): Promise<StreamEnd> {
  return readStream({
    lastId: null,
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onMessage: () => undefined,
    fetch: async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
}

test("the end of a stream says what is to be done", async () => {
  const events = { headers: { "content-type": "text/event-stream" } };
  assert.equal(await endOf(new Response("data: {}\n\n", events)), "broken");
  assert.equal(await endOf(new TypeError("no network")), "unanswered");
  assert.equal(await endOf(new Response("", { status: 404 })), "refused");
  assert.equal(await endOf(new Response("<html>", { headers: { "content-type": "text/html" } })), "refused");
  assert.equal(await endOf(new Response("", { status: 401 })), "signed_out");
  assert.equal(await endOf(new Response("", { status: 503 })), "broken");
});
