import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Of } from "../../../src/screens/live/base64.ts";
import { WaitingSound } from "../../../src/screens/live/waiting_sound.ts";

test("sound waits in order", () => {
  const waiting = new WaitingSound();
  waiting.add(Int16Array.of(1, 2), 10);
  waiting.add(Int16Array.of(3), 10);
  const { blocks, lost_s } = waiting.take();
  assert.deepEqual(blocks.map(({ samples }) => [...samples]), [[1, 2], [3]]);
  assert.equal(blocks[0]?.seconds, 0.2);
  assert.equal(lost_s, 0);
  assert.deepEqual(waiting.take(), { blocks: [], lost_s: 0 });
});

test("the oldest goes when there is too much, and is counted", () => {
  const waiting = new WaitingSound(3);
  for (const sample of [1, 2, 3, 4, 5]) waiting.add(Int16Array.of(sample), 1);
  const { blocks, lost_s } = waiting.take();
  assert.deepEqual(blocks.map(({ samples }) => samples[0]), [3, 4, 5]);
  assert.equal(lost_s, 2);
});

test("samples have their low byte first in base64", () => {
  assert.equal(base64Of(Int16Array.of(1, -2)), Buffer.from([1, 0, 0xfe, 0xff]).toString("base64"));
  assert.equal(base64Of(Int16Array.of(9, 1).subarray(1)), Buffer.from([1, 0]).toString("base64"));
});
