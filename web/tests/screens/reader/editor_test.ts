import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor, type Entry } from "../../../src/screens/reader/saving/editor.ts";
import { isAlike } from "../../../src/screens/reader/saving/recognise.ts";
import type { Work } from "../../../src/screens/reader/saving/work.ts";
import { applied } from "../../../src/screens/reader/text/operations.ts";
import { DaemonModel } from "./daemon_model.ts";
import { chanceOf, segment, sentence, shown, textOf, type Chance } from "./texts.ts";

function opened(daemon: DaemonModel, prefix = "tab"): Editor {
  const editor = new Editor(prefix);
  editor.load(daemon.text, daemon.version);
  return editor;
}

// Sends the first entry. With `deaf` the answer is lost on its way.
function send(editor: Editor, daemon: DaemonModel, deaf = false): number {
  const next = editor.next();
  if (!next) return 0;
  const answer = daemon.take(next.work, next.version);
  if (deaf) return 0;
  if (answer.ok) editor.answered(next.entry, answer.value);
  else if (isOwn(editor, daemon, next.entry)) return 200;
  return answer.ok ? 200 : answer.error.status;
}

// As recognise.ts does on a real daemon.
function isOwn(editor: Editor, daemon: DaemonModel, { work, sentOn, tries }: Entry): boolean {
  const then = daemon.versions[sentOn!]!;
  if (tries! < 2 || daemon.version !== sentOn! + 1 || work.op === "names") return false;
  const made = work.op === "restore" ? daemon.versions[work.version]! : applied(then, work);
  if (!made || !isAlike(made, daemon.text)) return false;
  editor.tookPlace(editor.pending.value[0]!, daemon.text, daemon.version);
  return true;
}

function sendAll(editor: Editor, daemon: DaemonModel): void {
  while (editor.pending.value.length > 0) assert.equal(send(editor, daemon), 200);
}

function anyWork(chance: Chance, editor: Editor): Work {
  const text = editor.text.value;
  const { key, text: words } = text[chance(text.length)]!;
  const all: Work[] = [
    { op: "text", segment: key, text: sentence(chance) },
    { op: "text", segment: key, text: `${words} ${sentence(chance, 1)}` },
    { op: "split", segment: key, at: chance(words.length + 1), made: editor.newKey() },
    { op: "merge", segment: key },
    { op: "delete", segment: key },
    { op: "speaker", segment: key, speaker: ["A", "B", null][chance(3)]! },
    { op: "merge_speakers", speaker: "A", into: "B" },
    { op: "replace", find: "lamp", with: "lantern", case: false, whole: true },
    { op: "names", names: { A: sentence(chance, 1) } },
  ];
  return all[chance(all.length)]!;
}

test("undo and redo lead back and forth through any edits, saved or not", () => {
  for (let seed = 0; seed < 80; seed += 1) {
    const chance = chanceOf(seed);
    const daemon = new DaemonModel(textOf(chance, 8));
    const editor = opened(daemon);
    const states = [shown(editor.text.value)];
    let at = 0;
    for (let step = 0; step < 60; step += 1) {
      const what = chance(10);
      if (what < 4 && editor.text.value.length > 2) {
        const undoable = editor.toUndo.value ? states[at] : null;
        if (editor.do(anyWork(chance, editor))) {
          // What is typed on in one segment is one step.
          const extended = undoable !== null && stepsOf(editor) === at;
          if (!extended) at += 1;
          states.length = at;
          states.push(shown(editor.text.value));
        }
      } else if (what < 6 && at > 0) {
        editor.undo();
        at -= 1;
        assert.deepEqual(shown(editor.text.value), states[at], `seed ${seed} step ${step}: undo`);
      } else if (what < 7 && editor.toRedo.value) {
        editor.redo();
        at += 1;
        assert.deepEqual(shown(editor.text.value), states[at], `seed ${seed} step ${step}: redo`);
      } else {
        send(editor, daemon);
        assert.deepEqual(shown(editor.text.value), states[at], `seed ${seed} step ${step}: sent`);
      }
    }
    sendAll(editor, daemon);
    assert.deepEqual(shown(daemon.text), states[at]);
    while (editor.toUndo.value) editor.undo();
    sendAll(editor, daemon);
    assert.deepEqual(shown(daemon.text), shown(daemon.versions[0]!), `seed ${seed}: to version 0`);
  }
});

function stepsOf(editor: Editor): number {
  return (editor as unknown as { undoable: { peek(): unknown[] } }).undoable.peek().length;
}

test("what is typed on in a segment is one step until it is sent", () => {
  const daemon = new DaemonModel(textOf(chanceOf(1), 3));
  const editor = opened(daemon);
  const before = shown(editor.text.value);
  for (const text of ["o", "on", "one"]) editor.do({ op: "text", segment: "1", text });
  assert.equal(editor.pending.value.length, 1);
  editor.undo();
  assert.deepEqual(shown(editor.text.value), before);
  assert.equal(editor.pending.value.length, 0);
  editor.redo();
  assert.equal(editor.text.value[1]!.text, "one");
});

test("a part that was split off keeps its key when it gets its id", () => {
  const daemon = new DaemonModel(textOf(chanceOf(2), 3));
  const editor = opened(daemon);
  editor.do({ op: "text", segment: "1", text: "one two three" });
  const made = editor.newKey();
  editor.do({ op: "split", segment: "1", at: 4, made });
  editor.do({ op: "text", segment: made, text: "two and three" });
  sendAll(editor, daemon);
  assert.deepEqual(editor.text.value.map((one) => one.key), ["0", "1", made, "2"]);
  assert.equal(daemon.text[2]!.text, "two and three");
  assert.notEqual(editor.idOf(made), made);
});

test("an answer that was lost is no change of another window", () => {
  const daemon = new DaemonModel(textOf(chanceOf(3), 3));
  const editor = opened(daemon);
  editor.do({ op: "split", segment: "1", at: 2, made: editor.newKey() });
  editor.do({ op: "delete", segment: "0" });
  send(editor, daemon, true);
  sendAll(editor, daemon);
  assert.equal(daemon.version, 2);
  assert.deepEqual(shown(editor.text.value), shown(daemon.text));
});

test("what a tab has left is saved by the next one, once", () => {
  for (const sentBefore of [0, 1, 2]) {
    const daemon = new DaemonModel(textOf(chanceOf(4), 4));
    const first = opened(daemon, "first");
    first.do({ op: "text", segment: "0", text: "one two" });
    first.do({ op: "split", segment: "0", at: 4, made: first.newKey() });
    first.do({ op: "text", segment: first.text.value[1]!.key, text: "two words" });
    const expected = shown(first.text.value);
    for (let n = 0; n < sentBefore; n += 1) send(first, daemon);
    send(first, daemon, true); // killed before the answer
    const kept = JSON.parse(JSON.stringify(first.kept()));
    const second = opened(daemon, "second");
    second.adopt(kept);
    sendAll(second, daemon);
    assert.deepEqual(shown(daemon.text), expected, `${sentBefore} were sent before`);
    assert.deepEqual(shown(second.text.value), expected);
  }
});

test("a change of another window is noticed, and what waits can be put on top of it", () => {
  const daemon = new DaemonModel(textOf(chanceOf(5), 4));
  const editor = opened(daemon);
  editor.do({ op: "text", segment: "1", text: "mine" });
  editor.do({ op: "text", segment: "2", text: "lost" });
  daemon.change({ op: "text", segment: "1", text: "theirs" });
  daemon.change({ op: "delete", segment: "2" });
  assert.equal(send(editor, daemon), 412);
  editor.load(daemon.text, daemon.version);
  assert.deepEqual(editor.putOnTop(), ["lost"]);
  sendAll(editor, daemon);
  assert.equal(daemon.text[1]!.text, "mine");
  assert.equal(daemon.version, 3);
});

test("words of another version wait for a decision", () => {
  const daemon = new DaemonModel(textOf(chanceOf(6), 4));
  const first = opened(daemon, "first");
  first.do({ op: "text", segment: "1", text: "mine" });
  daemon.change({ op: "text", segment: "1", text: "theirs" });
  const second = opened(daemon, "second");
  second.adopt(first.kept()!);
  assert.equal(second.text.value[1]!.text, "mine");
  assert.equal(send(second, daemon), 412);
  second.drop();
  assert.equal(second.text.value[1]!.text, "theirs");
  assert.equal(second.kept(), null);
});

test("names of speakers are undone like the text, and kept by their labels", () => {
  const daemon = new DaemonModel(textOf(chanceOf(7), 2));
  const editor = opened(daemon);
  editor.loadNames({ A: "A" });
  editor.do({ op: "names", names: { A: "Ada" } });
  sendAll(editor, daemon);
  assert.equal(editor.names.value.A, "Ada");
  editor.undo();
  assert.equal(editor.names.value.A, "A");
  editor.redo();
  assert.equal(editor.names.value.A, "Ada");
});

test("a part that begins when the next line does stands before it all the same", () => {
  const [first, next] = [segment("0", 0, 4, "one two"), segment("1", 4, 8, "three four")];
  // Words without a length: those that somebody wrote behind the last one that is said.
  const words = [["one", 0, 4, 1], [" two", 4, 0, 1]] as const;
  const daemon = new DaemonModel([{ ...first, words }, next]);
  const editor = opened(daemon);
  editor.do({ op: "split", segment: "0", at: 4, made: editor.newKey() });
  sendAll(editor, daemon);
  assert.deepEqual(shown(editor.text.value), ["|one", "|two", "|three four"]);
  editor.undo();
  editor.redo();
  sendAll(editor, daemon);
  assert.deepEqual(shown(editor.text.value), ["|one", "|two", "|three four"]);
});
