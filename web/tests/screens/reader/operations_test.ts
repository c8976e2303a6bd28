import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, type Operation } from "../../../src/screens/reader/text/operations.ts";
import type { Text } from "../../../src/screens/reader/text/segment.ts";
import { wordsOf } from "../../../src/screens/reader/text/words.ts";
import { chanceOf, segment, sentence, textOf, type Chance } from "./texts.ts";

function anyOperation(chance: Chance, text: Text, made: string): Operation {
  const at = chance(text.length);
  const { key, start, end, text: words } = text[at]!;
  const operations: Operation[] = [
    { op: "text", segment: key, text: sentence(chance) },
    { op: "split", segment: key, at: chance(words.length + 1), made },
    { op: "merge", segment: key },
    { op: "delete", segment: key },
    { op: "times", segment: key, start: start + (end - start) / 10, end: end - (end - start) / 10 },
    { op: "speaker", segment: key, speaker: ["A", "B", null][chance(3)]! },
    { op: "merge_speakers", speaker: "A", into: "B" },
    { op: "replace", find: "lamp", with: "light and lamp", case: false, whole: true },
  ];
  return operations[chance(operations.length)]!;
}

function check(text: Text): void {
  for (const one of text) {
    assert.equal(wordsOf(one).map(([word]) => word).join(""), one.text);
    let reached = -1e-6;
    for (const [word, start, length] of one.words) {
      assert.ok(start >= reached - 1e-6, `"${word}" begins before the one before it ends`);
      assert.ok(length >= -1e-6);
      assert.ok(start + length <= one.end - one.start + 1e-6, `"${word}" is outside its segment`);
      reached = start + length;
    }
  }
}

test("after any operations words are the text, in order and inside their segments", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const chance = chanceOf(seed);
    let text = textOf(chance, 12);
    for (let step = 0; step < 40 && text.length > 2; step += 1) {
      text = applied(text, anyOperation(chance, text, `${seed}.${step}`)) ?? text;
      check(text);
    }
  }
});

test("words that were not touched keep their times to the bit", () => {
  const chance = chanceOf(7);
  for (let round = 0; round < 200; round += 1) {
    const one = segment("1", 8, 12, "one two three four five six");
    const words = one.text.split(" ");
    const at = chance(words.length);
    words[at] = sentence(chance, 1 + chance(3)).replaceAll("灯台", "lamp");
    const [next] = applied([one], { op: "text", segment: "1", text: words.join(" ") })!;
    assert.deepEqual(next!.words.slice(0, at), one.words.slice(0, at));
    const behind = one.words.length - at - 1;
    if (behind > 0) assert.deepEqual(next!.words.slice(-behind), one.words.slice(-behind));
  }
});

test("a split and a merge give the text that was there", () => {
  const chance = chanceOf(5);
  for (const one of textOf(chance, 200)) {
    const parts = applied([one], { op: "split", segment: one.key, at: chance(one.text.length), made: "x" });
    if (!parts) continue;
    assert.equal(parts.length, 2);
    assert.ok(parts[0]!.end <= parts[1]!.start + 1e-9);
    const [joined] = applied(parts, { op: "merge", segment: one.key })!;
    assert.equal(joined!.text.replaceAll(" ", ""), one.text.replaceAll(" ", ""));
    assert.ok(Math.abs(joined!.end - one.end) < 1e-9);
  }
});

test("an operation on a segment that is gone means nothing", () => {
  const text = textOf(chanceOf(1), 3);
  assert.equal(applied(text, { op: "text", segment: "9", text: "x" }), null);
  assert.equal(applied(text, { op: "merge", segment: "2" }), null);
});
