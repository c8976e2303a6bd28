import assert from "node:assert/strict";
import { test } from "node:test";
import { appended, loudest, noPeaks, shownMinute } from "../../../src/screens/reader/sound/peaks.ts";

const peaks = { perSecond: 10, bins: Uint8Array.from([1, 9, 3, 4, 200, 6]) };

test("a stretch of time is as loud as its loudest bin", () => {
  assert.equal(loudest(peaks, 0, 0.3), 9);
  assert.equal(loudest(peaks, 0.35, 0.45), 200);
  assert.equal(loudest(peaks, 0.21, 0.22), 3); // shorter than a bin
  assert.equal(loudest(peaks, 5, 6), 0);
  assert.equal(loudest(peaks, -1, 0.1), 1);
});

test("bins that came later stand behind those that are there", () => {
  const whole = appended(appended(noPeaks, { perSecond: 20, bins: Uint8Array.from([1]) }), peaks);
  assert.equal(whole.perSecond, 20);
  assert.deepEqual([...whole.bins], [1, 1, 9, 3, 4, 200, 6]);
});

test("the minute that is shown lies around the present and within the recording", () => {
  assert.deepEqual(shownMinute(100, 1000), [70, 130]);
  assert.deepEqual(shownMinute(10, 1000), [0, 60]);
  assert.deepEqual(shownMinute(995, 1000), [940, 1000]);
  assert.deepEqual(shownMinute(5, 20), [0, 60]);
});
