import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace, secondsLeft } from "../../src/events/pace.ts";

test("a pace is told when it is steady, and is a mean of the last seconds", () => {
  const pace = new Pace();
  pace.add(0, 0);
  pace.add(1000, 5_000_000);
  assert.equal(pace.perSecond, null);
  pace.add(2000, 2_000_000 + 5_000_000);
  assert.equal(pace.perSecond, 3_500_000);
  for (let second = 3; second <= 60; second += 1) pace.add(second * 1000, 7_000_000 + (second - 2) * 100);
  assert.equal(pace.perSecond, 100);
});

test("an amount that is smaller than before begins anew", () => {
  const pace = new Pace();
  pace.add(0, 0);
  pace.add(4000, 4000);
  pace.add(4500, 100);
  assert.equal(pace.perSecond, null);
});

test("reports that come more rarely than the window still give a pace", () => {
  const pace = new Pace();
  for (let minute = 0; minute < 5; minute += 1) pace.add(minute * 60_000, minute * 600);
  assert.equal(pace.perSecond, 10);
});

test("what is left is not told without a pace, at rest, and at the end", () => {
  assert.equal(secondsLeft(20, 100, 10), 8);
  assert.equal(secondsLeft(20, 100, null), null);
  assert.equal(secondsLeft(20, 100, 0), null);
  assert.equal(secondsLeft(100, 100, 10), null);
});
