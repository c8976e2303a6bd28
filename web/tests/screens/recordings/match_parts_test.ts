import assert from "node:assert/strict";
import { test } from "node:test";
import { matchParts } from "../../../src/screens/recordings/match_parts.ts";

const shown = (text: string, spans: [number, number][]) =>
  matchParts({ text, spans }).map((part) => (part.isHit ? `[${part.text}]` : part.text)).join("");

test("what was found is marked where it stands", () => {
  assert.equal(shown("the last lamp out", [[9, 13]]), "the last [lamp] out");
  assert.equal(shown("lamp and lamp", [[0, 4], [9, 13]]), "[lamp] and [lamp]");
  assert.equal(shown("nothing here", []), "nothing here");
});

test("a long text is cut around the first hit, between words", () => {
  const text = `${"word ".repeat(40)}lamp ${"more ".repeat(60)}`;
  const cut = shown(text, [[200, 204]]);
  assert.match(cut, /^… word (word )*\[lamp\] more .*…$/);
  assert.ok(cut.length < 180);
});

test("a text without spaces is cut, too", () => {
  const cut = shown("漢".repeat(300), [[200, 202]]);
  assert.ok(cut.startsWith("… 漢") && cut.includes("[漢漢]") && cut.length < 180);
});
