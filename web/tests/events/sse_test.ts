import assert from "node:assert/strict";
import { test } from "node:test";
import { SseReader } from "../../src/events/sse.ts";

test("a message is the same however its text is cut into pieces", () => {
  const text = ": hello\r\n\r\nid: k-1\ndata: {\"a\":1}\n\ndata: two\ndata: lines\r\n\r\n";
  const whole = new SseReader().read(text);
  assert.deepEqual(whole, [
    { id: "k-1", data: '{"a":1}' },
    { id: null, data: "two\nlines" },
  ]);
  for (let cut = 1; cut < text.length; cut += 1) {
    const reader = new SseReader();
    const parts = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))];
    assert.deepEqual(parts, whole, `cut at ${cut}`);
  }
});

test("a message that has not ended is none yet", () => {
  const reader = new SseReader();
  assert.deepEqual(reader.read("data: half"), []);
  assert.deepEqual(reader.read(" a word\n\n"), [{ id: null, data: "half a word" }]);
});

test("comments that keep a line open are no messages", () => {
  assert.deepEqual(new SseReader().read(":\n\n: still here\n\n"), []);
});
