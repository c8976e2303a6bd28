import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { ZipFile } from "../../../../src/screens/recordings/batch/zip_file.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("what was put in comes out, packed or not", async () => {
  const zip = new ZipFile();
  zip.add("talk.txt", bytesOf("the last lamp ".repeat(500)), true);
  zip.add("Größe.docx", bytesOf("PK"), false);
  zip.add("empty.txt", bytesOf(""), true);
  const blob = zip.end();
  assert.equal(blob.type, "application/zip");
  assert.ok(blob.size < 1000);
  const found = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  assert.deepEqual(Object.keys(found), ["talk.txt", "Größe.docx", "empty.txt"]);
  assert.equal(new TextDecoder().decode(found["talk.txt"]), "the last lamp ".repeat(500));
  assert.equal(new TextDecoder().decode(found["Größe.docx"]), "PK");
});
