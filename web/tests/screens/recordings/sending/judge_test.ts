import assert from "node:assert/strict";
import { test } from "node:test";
import { isHousekeeping, judge } from "../../../../src/screens/recordings/sending/judge.ts";

const limits = { max_upload_bytes: 1000 };
const verdict = (name: string, type = "", size = 10) => judge({ name, type, size }, limits);

test("sound and video fit, and so does what nobody knows by its name", () => {
  for (const name of ["a.wav", "b.MP3", "c.mkv", "d.opus", "tape", "e.amr", "stream.ts", "f.xyz"]) {
    assert.equal(verdict(name), "fits", name);
  }
  assert.equal(verdict("stream.ts", "text/x-typescript"), "fits");
  assert.equal(verdict("a.ogg", "audio/ogg"), "fits");
});

test("documents, pictures and lists of files are no recordings", () => {
  for (const name of ["notes.pdf", "cover.JPG", "list.m3u8", "talk.srt", "all.zip"]) {
    assert.equal(verdict(name), "no_recording", name);
  }
  assert.equal(verdict("photo", "image/png"), "no_recording");
  assert.equal(verdict("list.m3u", "audio/x-mpegurl"), "no_recording");
});

test("what is empty or too large is told", () => {
  assert.equal(verdict("a.wav", "audio/wav", 0), "empty");
  assert.equal(verdict("a.wav", "audio/wav", 1000), "fits");
  assert.equal(verdict("a.wav", "audio/wav", 1001), "too_large");
});

test("what systems put into folders is not a person's", () => {
  assert.ok(isHousekeeping(".DS_Store") && isHousekeeping("Thumbs.db") && isHousekeeping("._talk.mp3"));
  assert.ok(!isHousekeeping("talk.mp3"));
});
