import assert from "node:assert/strict";
import { test } from "node:test";
import { Watchdog } from "../../../../src/screens/recordings/sending/watchdog.ts";

test("it acts when it was not fed, again and again, until it is stopped", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let acts = 0;
  const watch = new Watchdog(100, () => (acts += 1));
  watch.feed();
  context.mock.timers.tick(99);
  watch.feed();
  context.mock.timers.tick(99);
  assert.equal(acts, 0);
  context.mock.timers.tick(1);
  context.mock.timers.tick(100);
  assert.equal(acts, 2);
  watch.stop();
  context.mock.timers.tick(1000);
  assert.equal(acts, 2);
});
