import assert from "node:assert/strict";
import { test } from "node:test";
import { barOf } from "../../../src/screens/live/bar.ts";
import { sizeBeside } from "../../../src/screens/live/choices.ts";
import { distinct, reasonOf } from "../../../src/screens/live/microphone.ts";

const device = (deviceId: string, label = deviceId, kind = "audioinput") => ({ kind, deviceId, label });

test("a microphone is listed once, and nothing else is", () => {
  const found = [device("default"), device("communications"), device("usb"), device("screen", "", "videoinput")];
  assert.deepEqual(distinct(found), [{ id: "usb", name: "usb" }]);
});

test("the browser's default is listed where there is no other, and nothing without a name", () => {
  assert.deepEqual(distinct([device("default")]), [{ id: "default", name: "default" }]);
  assert.deepEqual(distinct([device("")]), []);
});

test("the browser's errors have reasons that people understand", () => {
  const reason = (name: string) => reasonOf(new DOMException("", name));
  assert.equal(reason("NotAllowedError"), "refused");
  assert.equal(reason("NotFoundError"), "none");
  assert.equal(reason("NotReadableError"), "busy");
  assert.equal(reason("Another"), "unknown");
  assert.equal(reasonOf(null), "unknown");
});

test("the bar of the level follows the ear", () => {
  assert.equal(barOf(0), 0);
  assert.equal(barOf(0.0001), 0);
  assert.equal(barOf(1), 1);
  assert.ok(Math.abs(barOf(0.1) - 2 / 3) < 0.01);
});

test("big text grows and shrinks by steps, and ends at both ends", () => {
  assert.equal(sizeBeside("4", 1), "5");
  assert.equal(sizeBeside("4", -1), "3.5");
  assert.equal(sizeBeside("6", 1), "6");
  assert.equal(sizeBeside("2.5", -1), "2.5");
});
