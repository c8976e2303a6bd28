import assert from "node:assert/strict";
import { test } from "node:test";
import {
  first_options, jobFields, rememberedOptions, rememberOptions,
} from "../../src/state/job_options.ts";
import { MemoryOfTest } from "./memory.ts";

test("options say nothing where the daemon's own choice is meant", () => {
  assert.deepEqual(jobFields({ ...first_options, wordTimes: false }), []);
  assert.deepEqual(
    jobFields({
      language: "de", model: "small", speakers: 3, audioTrack: 2, wordTimes: true, translate: true, format: "srt",
    }),
    [
      ["model", "small"], ["language", "de"], ["task", "translate"], ["word_timestamps", "true"],
      ["diarize", "true"], ["num_speakers", "3"], ["audio_track", "2"],
    ],
  );
});

test("options come back as they were kept", () => {
  const memory = new MemoryOfTest();
  assert.deepEqual(rememberedOptions(memory), first_options);
  const chosen = { ...first_options, language: "nl", speakers: 2 };
  rememberOptions(memory, chosen);
  assert.deepEqual(rememberedOptions(memory), chosen);
});

test("the audio track is for the recordings of one visit", () => {
  const memory = new MemoryOfTest();
  rememberOptions(memory, { ...first_options, audioTrack: 2 });
  assert.deepEqual(rememberedOptions(memory), first_options);
});

test("what another version of the page kept, or nobody can read, does no harm", () => {
  const memory = new MemoryOfTest();
  for (const kept of ["no JSON", "null", "[1]", '{"language":7,"speakers":"many","more":1}', '{"speakers":99}']) {
    memory.setItem("options", kept);
    assert.deepEqual(rememberedOptions(memory), first_options, kept);
  }
  memory.setItem("options", '{"translate":true,"speakers":99}');
  assert.deepEqual(rememberedOptions(memory), { ...first_options, translate: true });
});
