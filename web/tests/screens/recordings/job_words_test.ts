import assert from "node:assert/strict";
import { test } from "node:test";
import {
  metaWords, momentWords, progressWords, speakerWords,
} from "../../../src/screens/recordings/job_words.ts";
import { shareOf } from "../../../src/events/types.ts";
import { leftWords, pullWords } from "../../../src/ui/span_words.ts";
import { spokenOf } from "../../../src/screens/recordings/spoken.ts";
import { done, job, running } from "../../events/jobs.ts";

test("time that is left is no more exact than it is known", () => {
  assert.equal(leftWords(0.2), "1 second left");
  assert.equal(leftWords(59), "59 seconds left");
  assert.equal(leftWords(61), "1 minute left");
  assert.equal(leftWords(89), "1 minute 30 seconds left");
  assert.equal(leftWords(150), "3 minutes left");
  assert.equal(leftWords(3700), "1 hour 2 minutes left");
});

test("each phase says what is done, and how far", () => {
  assert.equal(progressWords(job({ id: "a", queue_place: 1 })), "queued, next");
  assert.equal(progressWords(job({ id: "a", queue_place: 12 })), "queued, position 12");
  assert.equal(progressWords(running({ id: "a", phase: "loading_model" })), "loading model");
  assert.equal(progressWords(running({ id: "a", phase: "listening", listened: 754 })), "analyzing audio, 12:34 processed");
  const half = running({ id: "a", percent: 61, speed: 24.4, left_s: 60 });
  assert.equal(progressWords(half), "61%, 24 × real time, 1 minute left");
  assert.equal(progressWords(running({ id: "a", percent: 3, speed: null })), "3%");
  const voices = running({ id: "a", phase: "diarizing", diarized: 30, duration: 60, percent: 100 });
  assert.equal(progressWords(voices), "labeling speakers, 50%");
  assert.equal(shareOf(voices), 0.5);
  assert.equal(shareOf(running({ id: "a", phase: "listening" })), null);
});

test("what is known of a recording stands in one line", () => {
  const one = done({ id: "a", duration: 3761, language: "en", speaker_names: { A: "Ada", B: "Tom" }, pinned: true });
  assert.deepEqual(metaWords(one, 0), ["1:02:41", "English", "Ada, Tom", "base", "pinned"]);
  assert.equal(speakerWords(["A", "B", "C"]), "3 speakers");
  assert.equal(speakerWords(["Ada", "B", "C", "D"]), "Ada, B and 2 more");
  assert.equal(speakerWords([]), "");
});

test("a moment of tomorrow is said as such", () => {
  const noon = new Date(2026, 10, 24, 12).getTime() / 1000;
  assert.match(momentWords(noon + 86_400, noon), /^tomorrow, 12:00/);
  assert.match(momentWords(noon + 60, noon), /^12:01/);
  assert.match(momentWords(noon + 5 * 86_400, noon), /Nov 29, 2026/);
});

test("a fetch says how much of how much", () => {
  assert.equal(
    pullWords({ done: 61e6, total: 148e6, perSecond: 12e6 }),
    "61 MB of 148 MB, 12 MB/s, 7 seconds left",
  );
  assert.equal(pullWords({ done: 5e6, total: 0, perSecond: null }), "5 MB");
});

test("a job is spoken of at its begin, its half and its end alone", () => {
  const way = [
    job({ id: "a" }),
    running({ id: "a", percent: null }),
    running({ id: "a", percent: 49 }),
    running({ id: "a", percent: 50 }),
    running({ id: "a", percent: 90 }),
    done({ id: "a" }),
    done({ id: "a", title: "renamed" }),
  ];
  const said = way.slice(1).map((after, place) => spokenOf(way[place], after));
  assert.deepEqual(said, ["begun", null, "half", null, "done", null]);
  assert.equal(spokenOf(undefined, done({ id: "a" })), null);
  assert.equal(spokenOf(undefined, running({ id: "a" })), null);
  assert.equal(spokenOf(undefined, running({ id: "a" }), true), "begun");
  assert.equal(spokenOf(running({ id: "a" }), job({ id: "a", status: "failed" })), "failed");
  assert.equal(spokenOf(running({ id: "a" }), job({ id: "a", status: "cancelled" })), null);
});
