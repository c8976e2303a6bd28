import assert from "node:assert/strict";
import { test } from "node:test";
import { segmentAt } from "../../../src/screens/reader/text/segment.ts";
import {
  partsOf, spanOf, splitWord, timeOf, unsureWords, wordAtOffset, wordAtTime, wordsOf,
} from "../../../src/screens/reader/text/words.ts";
import { chanceOf, segment, textOf } from "./texts.ts";

const lamp = {
  ...segment("1", 10, 14, "The last lamp out"),
  words: [["The", 0, 0.2, 0.99], [" last", 0.3, 0.3, 0.4], [" lamp", 0.6, 0.4, 0.9], [" out", 3, 0.5, 0.95]],
} as const;

test("the parts of a text are the text", () => {
  const chance = chanceOf(1);
  for (const { text } of textOf(chance, 200)) assert.equal(partsOf(text).join(""), text);
  assert.deepEqual(partsOf("the lamp 灯台 out "), ["the", " lamp", " 灯", "台", " out "]);
  assert.deepEqual(partsOf(""), []);
});

test("an offset finds the word that it is in, and a space the word behind it", () => {
  assert.equal(wordAtOffset(lamp, 0), 0);
  assert.equal(wordAtOffset(lamp, 2), 0);
  assert.equal(wordAtOffset(lamp, 3), 1);
  assert.equal(wordAtOffset(lamp, 9), 2);
  assert.equal(wordAtOffset(lamp, 17), 3);
  assert.deepEqual(spanOf(lamp, 2), [9, 13]);
});

test("every offset inside a word finds that word, in any text", () => {
  for (const one of textOf(chanceOf(2), 100)) {
    wordsOf(one).forEach((_, word) => {
      const [from, to] = spanOf(one, word);
      for (let at = from; at < to; at += 1) assert.equal(wordAtOffset(one, at), word);
    });
  }
});

test("a time finds the word that is said, and none in a pause", () => {
  assert.equal(wordAtTime(lamp, 10), 0);
  assert.equal(wordAtTime(lamp, 10.25), 0);
  assert.equal(wordAtTime(lamp, 10.3), 1);
  assert.equal(wordAtTime(lamp, 12.5), -1);
  assert.equal(wordAtTime(lamp, 13), 3);
  assert.equal(wordAtTime(lamp, 9), -1);
  assert.equal(timeOf(lamp, 3), 13);
});

test("the segment at a time is the last that has begun", () => {
  const text = textOf(chanceOf(3), 50);
  for (let at = 0; at < 200; at += 0.7) assert.equal(segmentAt(text, at), Math.floor(at / 4));
  assert.equal(segmentAt(text, -1), -1);
});

test("words whose times are unknown share those of their segment", () => {
  const words = wordsOf({ ...lamp, words: [] });
  assert.deepEqual(words.map(([text]) => text), ["The", " last", " lamp", " out"]);
  assert.equal(words.at(-1)![1] + words.at(-1)![2], 4);
});

test("a text is split where a word begins, never before the first one", () => {
  assert.equal(splitWord(lamp, 0), 1);
  assert.equal(splitWord(lamp, 9), 2);
  assert.equal(splitWord(lamp, 12), 3);
  assert.equal(splitWord(segment("1", 0, 1, "one"), 1), 0);
});

test("unsure words are those below the threshold", () => {
  assert.deepEqual(unsureWords(lamp, 0.5), [1]);
});

test("words that are not in the text do not mislead the others", () => {
  const odd = { ...lamp, words: [["The", 0, 1, 1], [" ???", 1, 1, 1], [" lamp", 2, 1, 1]] as const };
  assert.deepEqual(spanOf(odd, 2), [9, 13]);
});
