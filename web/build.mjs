// Builds the page: node build.mjs FOLDER. FOLDER then has index.html and app/HASH/, as they are served.
//
// start.js chooses a language. Each has a folder with the same files, so nobody fetches two languages.
// main.js holds what the first screen needs and all that screens share: the folders api, events, state and ui.
// What is imported by import() becomes a file of its own, which takes the shared parts from main.js.
// esbuild's own splitting would make a dozen small files of the same.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { licencesOf } from "./licences.mjs";

const root = import.meta.dirname;
const source = path.join(root, "src");

const languages = ["en", "de"];
const libraries = ["preact", "preact/hooks", "preact/jsx-runtime", "@preact/signals"];
const sourcesIn = (folder) =>
  readdirSync(path.join(source, folder))
    .filter((name) => /(?<![.]d)[.]tsx?$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
const sharedFiles = ["api", "events", "state", "ui"]
  .flatMap(sourcesIn)
  .concat("i18n/i18n.ts", "router.ts");

const options = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  outdir: "out", // only a name: nothing is written there
  write: false,
  metafile: true,
};

const isShared = (file) => sharedFiles.includes(path.relative(source, file));
const nameOf = (file) => path.basename(file).replace(/[.]\w+$/, "");

// Leaves import() to the browser, and notes what has to be built for it: sources in `lazy`, and in
// `packages` those of other people, which are the same in all languages and lie beside their folders.
const lazyFiles = (lazy, packages) => ({
  name: "lazy files",
  setup(build) {
    build.onResolve({ filter: /./ }, (one) => {
      if (one.kind !== "dynamic-import") return undefined;
      const name = nameOf(one.path);
      if (one.path.startsWith(".")) {
        lazy.set(name, path.resolve(one.resolveDir, one.path));
        return { path: `./${name}.js`, external: true };
      }
      packages.add(one.path);
      return { path: `../${name}.js`, external: true };
    });
  },
});

// Takes all texts from one language.
const textsIn = (language) => ({
  name: "texts in one language",
  setup(build) {
    const others = languages.filter((one) => one !== language).join("|");
    build.onResolve({ filter: new RegExp(`/i18n/(${others})/`) }, (one) => {
      const found = one.path.replace(/[/]i18n[/][a-z]+[/]/, `/i18n/${language}/`);
      return { path: path.resolve(one.resolveDir, found) };
    });
  },
});

// Takes what is shared from main.js.
const fromMain = {
  name: "from main.js",
  setup(build) {
    build.onResolve({ filter: /^\.|^@?preact/ }, (one) => {
      if (one.kind !== "import-statement") return undefined;
      const file = path.resolve(one.resolveDir, one.path);
      if (!libraries.includes(one.path) && !isShared(file)) return undefined;
      return { path: "./main.js", external: true };
    });
  },
};

async function buildMain(plugins, inputs) {
  const shared = sharedFiles.map((file) => `./${file}`).concat(libraries);
  const contents = ["./main.tsx", ...shared].map((one) => `export * from "${one}";`).join("\n");
  const stdin = { contents, resolveDir: source, sourcefile: "main.js", loader: "ts" };
  const result = await build({ ...options, stdin, plugins });
  inputs.push(...Object.keys(result.metafile.inputs));
  return { name: "main.js", bytes: Buffer.from(result.outputFiles[0].contents) };
}

async function buildEntries(entryPoints, plugins, inputs) {
  const result = await build({ ...options, entryPoints, plugins });
  inputs.push(...Object.keys(result.metafile.inputs));
  return result.outputFiles.map((file) => ({
    name: path.basename(file.path),
    bytes: Buffer.from(file.contents),
  }));
}

// A name that two shared files export is exported by neither (export *), and a browser would find out.
function checkImports(main, { name, bytes }) {
  const exported = new Set(namesIn(main.bytes, /export\s*\{([^}]*)\}/g, 1));
  for (const wanted of namesIn(bytes, /import\s*\{([^}]*)\}\s*from\s*"\.\/main\.js"/g, 0)) {
    if (!exported.has(wanted)) {
      throw new Error(`${name} wants ${wanted}, which no shared file exports, or more than one`);
    }
  }
}

// Returns the names in lists such as "a as b, c": a and c for part 0, b and c for part 1.
function namesIn(bytes, pattern, part) {
  const lists = [...bytes.toString().matchAll(pattern)].map((match) => match[1]);
  return lists.flatMap((list) => list.split(",")).filter(Boolean).map((one) => {
    const names = one.trim().split(/\s+as\s+/);
    return names[part] ?? names[0];
  });
}

async function buildLanguage(language, packages, inputs) {
  const lazy = new Map();
  const plugins = [lazyFiles(lazy, packages), textsIn(language)];
  const files = [await buildMain(plugins, inputs)];
  // The map grows meanwhile: a lazy file may have lazy files of its own.
  for (const [name, file] of lazy) {
    files.push(...(await buildEntries({ [name]: file }, [...plugins, fromMain], inputs)));
  }
  for (const file of files) checkImports(files[0], file);
  return files.map(({ name, bytes }) => ({ name: `${language}/${name}`, bytes }));
}

// Returns the names and bytes of the files, sorted by name.
export async function bundle() {
  const packages = new Set();
  const inputs = []; // what esbuild has read, for the licences
  const files = [];
  for (const language of languages) {
    files.push(...(await buildLanguage(language, packages, inputs)));
  }
  // Worklets are loaded by their address, into a world of their own.
  const sources = ["start.ts", "css/style.css", ...sourcesIn("worklets")];
  const apart = [...sources.map((file) => path.join(source, file)), ...packages];
  const entries = Object.fromEntries(apart.map((entry) => [nameOf(entry), entry]));
  files.push(...(await buildEntries(entries, [], inputs)));
  files.push({ name: "licences.txt", bytes: Buffer.from(await licencesOf(inputs)) });
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

// Returns the name of the folder that the files are served from: other files, another name.
export function hashOf(files) {
  const hash = createHash("sha256");
  for (const { name, bytes } of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest("hex").slice(0, 12);
}

export async function indexPage(hash) {
  const page = await readFile(path.join(source, "index.html"), "utf8");
  return page.replaceAll("{folder}", `app/${hash}`);
}

async function main(out) {
  const files = await bundle();
  const hash = hashOf(files);
  const folder = path.join(out, "app", hash);
  await rm(out, { recursive: true, force: true });
  for (const language of languages) await mkdir(path.join(folder, language), { recursive: true });
  await writeFile(path.join(out, "index.html"), await indexPage(hash));
  for (const { name, bytes } of files) await writeFile(path.join(folder, name), bytes);
}

if (process.argv[1] === import.meta.filename) await main(path.resolve(process.argv[2] ?? "out"));
