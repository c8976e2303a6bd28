import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesIn } from "../../../src/screens/recordings/addresses_in.ts";

test("a text of addresses alone is taken apart", () => {
  assert.deepEqual(addressesIn(" https://example.org/a.mp3\n"), ["https://example.org/a.mp3"]);
  assert.deepEqual(addressesIn("https://a.org/1\r\nHTTPS://b.org/2?x=1"), ["https://a.org/1", "HTTPS://b.org/2?x=1"]);
});

test("anything else is none", () => {
  for (const text of ["", "hello", "see https://a.org/1", "http://a.org/1", "file:///etc/passwd", "https://", "javascript:x"]) {
    assert.deepEqual(addressesIn(text), [], text);
  }
});
