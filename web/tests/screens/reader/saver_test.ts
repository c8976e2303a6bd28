import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Editor } from "../../../src/screens/reader/saving/editor.ts";
import { Saver, type Recognise, type Send } from "../../../src/screens/reader/saving/saver.ts";
import { DaemonModel, failed } from "./daemon_model.ts";
import { chanceOf, textOf } from "./texts.ts";

function desk(send?: Send, recognise: Recognise = async () => false) {
  const daemon = new DaemonModel(textOf(chanceOf(1), 4));
  const editor = new Editor("tab");
  editor.load(daemon.text, daemon.version);
  const sent: Record<string, unknown>[] = [];
  const answer = send ?? (async (work, version) => daemon.take(work, version));
  const tell: Send = (work, version) => {
    sent.push(work);
    return answer(work, version);
  };
  const saver = new Saver(editor, tell, recognise);
  editor.pending.subscribe(() => saver.changed());
  return { daemon, editor, saver, sent };
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 50) {
    mock.timers.tick(Math.min(50, left));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

test("words are saved within a second of the last key, in one piece", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { daemon, editor, saver, sent } = desk();
  for (const text of ["o", "on", "one"]) {
    editor.do({ op: "text", segment: "1", text });
    await pass(100);
  }
  assert.equal(sent.length, 0);
  assert.equal(saver.state.value.is, "saving");
  await pass(900);
  assert.equal(sent.length, 1);
  assert.equal(daemon.text[1]!.text, "one");
  assert.equal(saver.state.value.is, "saved");
  mock.timers.reset();
});

test("who types on and on is saved all the same", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { editor, sent } = desk();
  for (let letters = 1; letters <= 60; letters += 1) {
    editor.do({ op: "text", segment: "1", text: "a".repeat(letters) });
    await pass(100);
  }
  assert.ok(sent.length >= 2 && sent.length <= 4, `${sent.length} requests in 6 s`);
  mock.timers.reset();
});

test("what is not text is sent at once, and so is what somebody asks for", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { editor, saver, sent } = desk();
  editor.do({ op: "delete", segment: "1" });
  await pass(50);
  assert.equal(sent.length, 1);
  editor.do({ op: "text", segment: "2", text: "now" });
  saver.saveNow();
  await pass(50);
  assert.equal(sent.length, 2);
  mock.timers.reset();
});

test("a daemon that does not answer is asked again until it does", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let up = false;
  const daemon = new DaemonModel(textOf(chanceOf(1), 4));
  const { editor, saver, sent } = desk(async (work, version) =>
    up ? daemon.take(work, version) : failed(0, "unreachable"),
  );
  editor.do({ op: "text", segment: "1", text: "kept" });
  await pass(3000);
  assert.equal(saver.state.value.is, "unsaved");
  assert.ok(sent.length >= 2);
  up = true;
  await pass(8000);
  assert.equal(saver.state.value.is, "saved");
  assert.equal(daemon.text[1]!.text, "kept");
  mock.timers.reset();
});

test("a conflict and a refusal wait for a person", async () => {
  for (const [status, state] of [[412, "conflict"], [422, "refused"]] as const) {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    const { editor, saver, sent } = desk(async () => failed(status, "no"));
    editor.do({ op: "text", segment: "1", text: "mine" });
    await pass(60_000);
    assert.equal(sent.length, 1);
    assert.equal(saver.state.value.is, state);
    editor.do({ op: "text", segment: "1", text: "mine too" });
    await pass(60_000);
    assert.equal(sent.length, 1);
    editor.drop();
    saver.goOn();
    assert.equal(saver.state.value.is, "saved");
    mock.timers.reset();
  }
});

test("words that are undone before they were sent are not sent", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { editor, saver, sent } = desk();
  editor.do({ op: "text", segment: "1", text: "no" });
  editor.undo();
  await pass(5000);
  assert.equal(sent.length, 0);
  assert.equal(saver.state.value.is, "saved");
  mock.timers.reset();
});

test("what was saved without an answer is no conflict", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const daemon = new DaemonModel(textOf(chanceOf(1), 4));
  let deaf = true;
  const { editor, saver } = desk(
    async (work, version) => {
      const answer = daemon.take(work, version);
      const heard = deaf ? failed(0, "unreachable") : answer;
      deaf = false;
      return heard;
    },
    async (entry) => {
      editor.tookPlace(entry, daemon.text, daemon.version);
      return true;
    },
  );
  editor.do({ op: "delete", segment: "1" });
  await pass(5000);
  assert.equal(saver.state.value.is, "saved");
  assert.equal(daemon.version, 1);
  editor.do({ op: "delete", segment: "2" });
  await pass(100);
  assert.equal(daemon.version, 2);
  mock.timers.reset();
});
