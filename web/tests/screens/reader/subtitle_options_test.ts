import assert from "node:assert/strict";
import { test } from "node:test";
import { plainLooks, subtitleOptions } from "../../../src/screens/reader/dialogs/subtitle_options.ts";

test("nothing is asked for unless it is chosen", () => {
  assert.equal(subtitleOptions(plainLooks, true), null);
  assert.deepEqual(subtitleOptions({ ...plainLooks, style: "bbc" }, false), { subtitle_style: "bbc" });
});

test("lines need word timestamps and a style that leaves them free", () => {
  const looks = { ...plainLooks, width: 32, count: 1, highlight: true };
  const all = { max_line_width: "32", max_line_count: "1", highlight_words: "true" };
  assert.deepEqual(subtitleOptions(looks, true), all);
  assert.equal(subtitleOptions(looks, false), null);
  assert.deepEqual(subtitleOptions({ ...looks, style: "whisper" }, true), { subtitle_style: "whisper", ...all });
  assert.deepEqual(subtitleOptions({ ...looks, style: "netflix" }, true), { subtitle_style: "netflix" });
});

test("a count of lines needs their width", () => {
  assert.equal(subtitleOptions({ ...plainLooks, count: 2 }, true), null);
});
