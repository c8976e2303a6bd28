import assert from "node:assert/strict";
import { test } from "node:test";
import { downloadSize } from "../../src/ui/download_size.ts";

const exact = (bytes: number) => ({ download_bytes: bytes, weights_bytes: bytes - 1 });
const about = (bytes: number) => ({ download_bytes: null, weights_bytes: bytes });
const unknown = { download_bytes: null, weights_bytes: null };

test("the size of a download is told as exactly as it is known", () => {
  assert.equal(downloadSize([exact(81_000_000)]), "81 MB");
  assert.equal(downloadSize([about(151_000_000)]), "about 151 MB");
  assert.equal(downloadSize([unknown]), "");
});

test("several together are as exact as the least of them", () => {
  assert.equal(downloadSize([exact(293_000_000), exact(81_000_000)]), "374 MB");
  assert.equal(downloadSize([about(293_000_000), exact(81_000_000)]), "about 374 MB");
  assert.equal(downloadSize([exact(1), unknown]), "");
});
