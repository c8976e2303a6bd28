import assert from "node:assert/strict";
import { before, test } from "node:test";
import { bundle, hashOf, indexPage } from "../build.mjs";

type BuiltFile = { name: string; bytes: Buffer };

let files: BuiltFile[] = [];

before(async () => {
  files = await bundle();
});

const textOf = (name: string) => files.find((file) => file.name === name)?.bytes.toString() ?? "";

test("the same sources give the same bytes", async () => {
  assert.equal(hashOf(await bundle()), hashOf(files));
});

test("each language has the same files, and its own texts", () => {
  const namesIn = (folder: string) =>
    files.filter(({ name }) => name.startsWith(folder)).map(({ name }) => name.slice(folder.length));
  assert.deepEqual(namesIn("en/"), namesIn("de/"));
  assert.ok(textOf("de/main.js").includes("Aufnahmen"));
  assert.ok(!textOf("en/main.js").includes("Aufnahmen"));
  assert.ok(!textOf("de/main.js").includes("No recordings yet"));
});

test("every file that a file imports is there", () => {
  const names = new Set(files.map(({ name }) => name));
  for (const { name, bytes } of files) {
    if (!name.endsWith(".js")) continue;
    for (const [, wanted = ""] of bytes.toString().matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const found = new URL(wanted, `file:///${name}`).pathname.slice(1);
      assert.ok(names.has(found), `${name} imports ${wanted}`);
    }
  }
});

test("the page names its files, and nothing of elsewhere", async () => {
  const page = await indexPage("0123");
  assert.match(page, /src="app\/0123\/start\.js"/);
  for (const [address] of page.matchAll(/(?<=(?:src|href)=")[^"]+/g)) {
    assert.match(address, /^(app\/0123\/|docs$|data:)/);
  }
});

test("shared parts are in one file alone", () => {
  for (const { name, bytes } of files) {
    // The one place that fetches says so.
    if (/^en\/(?!main)/.test(name)) assert.ok(!bytes.includes("same-origin"), name);
  }
});

test("the licences of what is in the page are in it", () => {
  for (const name of ["preact", "@preact/signals", "fflate", "tus-js-client"]) {
    assert.ok(textOf("licences.txt").includes(`${name} `), name);
  }
  assert.doesNotMatch(textOf("licences.txt"), /esbuild/);
});
