import assert from "node:assert/strict";
import { test } from "node:test";
import { addGap, breakOff, noCaptions, plainText, takeEvent, type Captions } from "../../../src/screens/live/captions.ts";
import { completed, delta, failed, segment, type LiveEvent } from "../../../src/screens/live/server_events.ts";

const begun = (item_id: string): LiveEvent => ({ type: "input_audio_buffer.speech_started", item_id });
const word = (item_id: string, text: string): LiveEvent => ({ type: delta, item_id, delta: text });
const end = (item_id: string, transcript: string): LiveEvent => ({ type: completed, item_id, transcript });
const tail = (item_id: string | null, text: string): LiveEvent => ({ type: "scribed.tail", item_id, text, heard_s: 1 });

const after = (events: LiveEvent[], before: Captions = noCaptions) => events.reduce(takeEvent, before);

test("words of a turn are joined, and the turn's text takes their place", () => {
  const said = after([begun("a"), word("a", "If"), word("a", " you")]);
  assert.equal(plainText(said), "If you");
  assert.equal(plainText(after([end("a", "If you want.")], said)), "If you want.");
});

test("turns stand in the order of their beginnings", () => {
  assert.equal(plainText(after([begun("a"), begun("b"), word("b", "Two."), word("a", "One.")])), "One.\nTwo.");
});

test("a turn without words leaves nothing", () => {
  assert.deepEqual(after([begun("a"), end("a", "")]), noCaptions);
});

test("the tail stands behind its turn until that has its text", () => {
  const said = after([begun("a"), tail("a", " perhaps")]);
  assert.deepEqual(said.tail, { id: "a", text: " perhaps" });
  assert.equal(plainText(said), "");
  assert.equal(after([end("a", "Perhaps.")], said).tail, null);
  assert.equal(after([tail(null, "")], said).tail, null);
});

test("speakers are named", () => {
  assert.equal(plainText(after([word("a", "Hi."), { type: segment, item_id: "a", speaker: "B" }])), "B: Hi.");
});

test("what could not be written down leaves a gap behind the words that could", () => {
  const error = { code: "server_error", message: "It died." };
  const said = after([word("a", "One"), { type: failed, item_id: "a", error }, word("b", "Two")]);
  assert.deepEqual(said.entries.map((entry) => (entry.kind === "gap" ? entry.reason : entry.text)), ["One", "failed", "Two"]);
});

test("a broken line ends the turn at hand, and says what is missing", () => {
  const said = after([word("a", "One"), begun("b"), tail("b", " two")]);
  const broken = breakOff(said);
  assert.equal(broken.tail, null);
  assert.deepEqual(broken.entries.map((entry) => entry.kind === "turn" && entry.isEnded), [true]);
  const gap = addGap(broken, "lost", 12).entries.at(-1);
  assert.ok(gap?.kind === "gap" && gap.seconds === 12);
});
