import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLanguage } from "../src/i18n/choose_language.ts";
import { formatBytes, formatClock, formatPercent, formatSpan, languageName } from "../src/i18n/i18n.ts";

test("the first wanted language that there is is taken", () => {
  assert.equal(chooseLanguage(["fr", "de-AT", "en"]), "de");
  assert.equal(chooseLanguage(["fr", "nl"]), "en");
  assert.equal(chooseLanguage([]), "en");
});

test("places of a recording have hours only where there are some", () => {
  assert.equal(formatClock(7.9), "0:07");
  assert.equal(formatClock(750), "12:30");
  assert.equal(formatClock(3761), "1:02:41");
});

test("what has not ended never reads as 100 %", () => {
  assert.equal(formatPercent(0.999), "99%");
  assert.equal(formatPercent(1), "100%");
});

test("sizes are in the unit that fits", () => {
  assert.equal(formatBytes(148_000_000), "148 MB");
  assert.equal(formatBytes(6_900_000_000), "6.9 GB");
});

test("spans are words", () => {
  assert.equal(formatSpan(3761), "1 hour 2 minutes");
  assert.equal(formatSpan(19), "19 seconds");
  assert.equal(formatSpan(0), "0 seconds");
});

test("a code that names no language stays as it is", () => {
  assert.equal(languageName("nl"), "Dutch");
  assert.equal(languageName("??"), "??");
});
