import assert from "node:assert/strict";
import { test } from "node:test";
import { Selection } from "../../src/state/selection.ts";

const order = ["a", "b", "c", "d", "e"];

const ids = (selection: Selection) => [...selection.ids.peek()].sort().join("");

test("one after the other is selected, and no longer", () => {
  const selection = new Selection();
  selection.choose("a", true, order);
  selection.choose("c", true, order);
  assert.equal(ids(selection), "ac");
  selection.choose("a", false, order);
  assert.equal(ids(selection), "c");
});

test("a range goes from the one before to this one, in either direction", () => {
  const selection = new Selection();
  selection.choose("d", true, order);
  selection.choose("b", true, order, true);
  assert.equal(ids(selection), "bcd");
  selection.choose("e", true, order, true);
  assert.equal(ids(selection), "bcde");
  selection.choose("c", false, order, true);
  assert.equal(ids(selection), "b");
});

test("a range without a beginning is one alone", () => {
  const selection = new Selection();
  selection.choose("c", true, order, true);
  assert.equal(ids(selection), "c");
  selection.choose("a", true, ["a", "b"], true);
  assert.equal(ids(selection), "ac");
  selection.choose("z", true, order, true);
  assert.equal(ids(selection), "acz");
});

test("after all were given up a range begins anew", () => {
  const selection = new Selection();
  selection.choose("a", true, order);
  selection.clear();
  selection.choose("c", true, order, true);
  assert.equal(ids(selection), "c");
  selection.all(order);
  selection.drop("b");
  assert.equal(ids(selection), "acde");
});
