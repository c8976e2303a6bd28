import assert from "node:assert/strict";
import { test } from "node:test";
import { NamesInZip } from "../../../../src/screens/recordings/batch/zip_names.ts";

test("the ending of the recording gives way to that of the text", () => {
  const names = new NamesInZip("srt");
  assert.equal(names.of("talk.mp3"), "talk.srt");
  assert.equal(names.of("Minutes of 3.11."), "Minutes of 3.11.srt");
});

test("no two files have the same name, capital letters aside", () => {
  const names = new NamesInZip("txt");
  assert.deepEqual(
    ["talk.wav", "Talk.mp3", "talk (2)", "talk"].map((title) => names.of(title)),
    ["talk.txt", "Talk (2).txt", "talk (2) (2).txt", "talk (3).txt"],
  );
});

test("no name leads out of the folder, or is one that Windows has not", () => {
  const names = new NamesInZip("txt");
  assert.equal(names.of("../../etc/passwd"), "_.._etc_passwd.txt");
  assert.equal(names.of('a<b>:"c|?*\n'), "a_b___c____.txt");
  assert.equal(names.of("..."), "transcript.txt");
  assert.equal(names.of(" "), "transcript (2).txt");
  assert.ok(names.of("é".repeat(300)).length < 130);
});
