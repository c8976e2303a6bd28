// The licences of what other people wrote and the page has in it.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const root = path.join(import.meta.dirname, "node_modules");

// "node_modules/@preact/signals/dist/signals.mjs" is of @preact/signals.
export function packageOf(input) {
  const found = /node_modules[/]((?:@[^/]+[/])?[^/]+)[/]/.exec(input);
  return found === null ? null : found[1];
}

async function textOf(name) {
  const folder = path.join(root, name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no text of its licence`);
  const text = await readFile(path.join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

// Returns one text from the files that esbuild has read.
export async function licencesOf(inputs) {
  const names = new Set(inputs.map(packageOf).filter((name) => name !== null));
  const texts = await Promise.all([...names].sort().map(textOf));
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
