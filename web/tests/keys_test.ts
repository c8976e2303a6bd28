import assert from "node:assert/strict";
import { test } from "node:test";
import { isSingle, nameOfKey } from "../src/state/keys.ts";

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  nameOfKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more } as KeyboardEvent);

test("keys have the names that bindings are written with", () => {
  assert.equal(press(" "), "Space");
  assert.equal(press("f"), "F");
  assert.equal(press("F", { shiftKey: true }), "Shift+F");
  assert.equal(press("?", { shiftKey: true }), "?");
  assert.equal(press("ArrowLeft", { shiftKey: true }), "Shift+ArrowLeft");
  assert.equal(press("z", { ctrlKey: true, shiftKey: true }), "Ctrl+Shift+Z");
  assert.equal(press("s", { metaKey: true }), "Ctrl+S");
  assert.equal(press("F4"), "F4");
});

test("single keys are those that could be typed or pressed by chance", () => {
  for (const name of ["Space", "F", "?", "Shift+N", "ArrowUp", "1"]) assert.ok(isSingle(name), name);
  for (const name of ["Ctrl+S", "Alt+R", "F4", "Escape", "MediaPlayPause"]) assert.ok(!isSingle(name), name);
});
