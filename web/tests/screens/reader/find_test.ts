import assert from "node:assert/strict";
import { test } from "node:test";
import { findIn, nearest, replaceIn } from "../../../src/screens/reader/text/find.ts";
import { segment } from "./texts.ts";

const text = [
  segment("1", 0, 4, "The AAAF lamps of AAAF"),
  segment("2", 4, 8, "aaaf, and AAAFs too"),
  segment("3", 8, 12, "Nothing (here)? 100 % über"),
];
const plain = { case: false, whole: false };

test("case counts only where it is asked for", () => {
  assert.equal(findIn(text, { ...plain, find: "aaaf" }).length, 4);
  assert.equal(findIn(text, { ...plain, find: "aaaf", case: true }).length, 1);
});

test("whole words end where letters end, of any script", () => {
  assert.equal(findIn(text, { ...plain, find: "AAAF", whole: true }).length, 3);
  assert.equal(findIn(text, { ...plain, find: "ber", whole: true }).length, 0);
  assert.equal(findIn(text, { ...plain, find: "über", whole: true }).length, 1);
});

test("signs of regular expressions stand for themselves", () => {
  assert.deepEqual(findIn(text, { ...plain, find: "(here)?" }), [{ key: "3", index: 2, from: 8, to: 15 }]);
  assert.equal(findIn(text, { ...plain, find: "a-z" }).length, 0);
  assert.equal(findIn(text, { ...plain, find: "" }).length, 0);
});

test("a replacement is taken to the letter, and other segments stay the same objects", () => {
  const next = replaceIn(text, { ...plain, find: "AAAF" }, "$& IIIF");
  assert.equal(next[0]!.text, "The $& IIIF lamps of $& IIIF");
  assert.equal(next[2], text[2]);
  assert.equal(replaceIn(text, { ...plain, find: "absent" }, "x"), text);
});

test("words beside a replacement keep their times to the bit", () => {
  const next = replaceIn(text, { ...plain, find: "lamps" }, "lights and more");
  assert.deepEqual(next[0]!.words.slice(0, 2), text[0]!.words.slice(0, 2));
  assert.deepEqual(next[0]!.words.slice(-2), text[0]!.words.slice(-2));
});

test("the search goes on from where it was, and begins anew at the end", () => {
  const found = findIn(text, { ...plain, find: "AAAF" });
  assert.equal(nearest(found, 0, 5), 1);
  assert.equal(nearest(found, 1, 0), 2);
  assert.equal(nearest(found, 2, 0), 0);
  assert.equal(nearest([], 0, 0), -1);
});
