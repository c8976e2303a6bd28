import assert from "node:assert/strict";
import { test } from "node:test";
import { applied } from "../../../src/screens/reader/text/operations.ts";
import { sectionsOf } from "../../../src/screens/reader/text/sections.ts";
import { chanceOf, textOf } from "./texts.ts";

test("sections hold the whole text in its order", () => {
  const text = textOf(chanceOf(1), 1234);
  assert.deepEqual(sectionsOf(text, []).flatMap((section) => section.segments), text);
});

test("a change makes one section anew", () => {
  const chance = chanceOf(2);
  let text = textOf(chance, 1000);
  let sections = sectionsOf(text, []);
  for (let round = 0; round < 300; round += 1) {
    const segment = text[chance(text.length - 1)]!.key;
    const made = `made ${round}`;
    const operation = [
      { op: "text", segment, text: `text ${round} of many` } as const,
      { op: "split", segment, at: 9, made } as const,
      { op: "speaker", segment, speaker: "B" } as const,
    ][chance(3)]!;
    text = applied(text, operation) ?? text;
    const next = sectionsOf(text, sections);
    assert.deepEqual(next.flatMap((section) => section.segments), text);
    const anew = next.filter((section) => !sections.includes(section));
    assert.ok(anew.length <= 2, `${anew.length} sections anew`);
    assert.ok(next.every((section) => section.segments.length <= 100));
    sections = next;
  }
});

test("segments that are added at the end fill the last section first", () => {
  const text = textOf(chanceOf(3), 120);
  const before = sectionsOf(text.slice(0, 60), []);
  const after = sectionsOf(text, before);
  assert.deepEqual(after.map((section) => section.segments.length), [50, 50, 20]);
  assert.equal(after[0], before[0]);
});

test("a deleted first segment takes nothing else with it", () => {
  const text = textOf(chanceOf(4), 150);
  const sections = sectionsOf(text, []);
  const next = sectionsOf(applied(text, { op: "delete", segment: "50" })!, sections);
  assert.equal(next.flatMap((section) => section.segments).length, 149);
  assert.equal(next.at(-1), sections.at(-1));
});
