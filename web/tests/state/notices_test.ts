import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { notice, notify, said, say, tellNews } from "../../src/state/notices.ts";

const shown = () => notice.value?.text ?? null;

mock.timers.enable({ apis: ["setTimeout"] });

beforeEach(() => {
  notify(null);
  say("");
});

test("news take no notice away that is an answer", () => {
  notify("Left out: notes.pdf.");
  tellNews("one.wav is completed.");
  assert.equal(shown(), "Left out: notes.pdf.");
  assert.equal(said.value, "one.wav is completed.");
});

test("news are shown where nothing else is, and newer ones take their place", () => {
  tellNews("one.wav is completed.");
  tellNews("two.wav has failed.", true);
  assert.equal(shown(), "two.wav has failed.");
  assert.equal(notice.value?.bad, true);
  assert.equal(said.value, "", "it is not said twice");
  notify("Deleted.");
  assert.equal(shown(), "Deleted.");
});

test("what is only said leaves what is shown", () => {
  notify("Copied.");
  say("one.wav has started.");
  assert.deepEqual([shown(), said.value], ["Copied.", "one.wav has started."]);
});

test("a notice goes by itself, a bad one later", () => {
  notify("Copied.");
  mock.timers.tick(6000);
  assert.equal(shown(), null);
  notify({ text: "Not copied.", bad: true });
  mock.timers.tick(6000);
  assert.equal(shown(), "Not copied.");
  mock.timers.tick(6000);
  assert.equal(shown(), null);
});
