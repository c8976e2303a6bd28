import assert from "node:assert/strict";
import { test } from "node:test";
import type { Captions } from "../../../src/screens/live/captions.ts";
import { SaidAloud } from "../../../src/screens/live/said_aloud.ts";

const said = (text: string, isEnded = false, id = "a"): Captions => ({
  entries: [{ kind: "turn", id, text, speaker: null, isEnded }],
  tail: { id, text: " never" },
});

test("only whole sentences are said, each once", () => {
  const aloud = new SaidAloud();
  assert.equal(aloud.next(said("If you want"), 0), null);
  assert.equal(aloud.next(said("If you want it. Take"), 1), "If you want it.");
  assert.equal(aloud.next(said("If you want it. Take"), 9000), null);
  assert.equal(aloud.next(said("If you want it. Take it", true), 18000), "Take it");
});

test("two seconds pass between two of them, and none is left out", () => {
  const aloud = new SaidAloud();
  assert.equal(aloud.next(said("One."), 0), "One.");
  assert.equal(aloud.next(said("One. Two."), 1999), null);
  assert.equal(aloud.next(said("One. Two. Three."), 2000), "Two. Three.");
});

test("a number's point ends no sentence", () => {
  assert.equal(new SaidAloud().next(said("It has 3.5 metres"), 0), null);
});
