import assert from "node:assert/strict";
import { test } from "node:test";
import { exactClock, parseClock } from "../../../src/screens/reader/text/clock.ts";
import { chanceOf } from "./texts.ts";

test("times are written with hundredths", () => {
  assert.equal(exactClock(0), "0:00.00");
  assert.equal(exactClock(34.2), "0:34.20");
  assert.equal(exactClock(59.999), "1:00.00");
  assert.equal(exactClock(3761.5), "1:02:41.50");
});

test("times are read as people write them", () => {
  assert.equal(parseClock("34.2"), 34.2);
  assert.equal(parseClock("34,2"), 34.2);
  assert.equal(parseClock(" 1:02 "), 62);
  assert.equal(parseClock("1:02:41.5"), 3761.5);
  for (const wrong of ["", "a", "1:60", "1:2:3:4", "1:-2", "1.5:20", ":20"]) assert.equal(parseClock(wrong), null);
});

test("what was written is read as the same time", () => {
  const chance = chanceOf(4);
  for (let round = 0; round < 500; round += 1) {
    const seconds = chance(3_600_000) / 100;
    assert.equal(parseClock(exactClock(seconds))!.toFixed(2), seconds.toFixed(2));
  }
});
