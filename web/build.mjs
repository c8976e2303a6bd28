// Builds the page: node build.mjs FOLDER. FOLDER then has index.html and app/HASH/, as they are served.
//
// start.js chooses a language. Each has a folder with the same files, so nobody fetches two languages.
// main.js holds what the first screen needs and all that screens share: the folders api, events, state and ui.
// What is imported by import() becomes a file of its own, which takes the shared parts from main.js.
// esbuild's own splitting would make a dozen small files of the same.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const root = import.meta.dirname;
const source = path.join(root, "src");

const languages = ["en", "de"];
const libraries = ["preact", "preact/hooks", "preact/jsx-runtime", "@preact/signals"];
const sharedFiles = globSync(["{api,events,state,ui}/*.{ts,tsx}", "i18n/i18n.ts", "router.ts"], {
  cwd: source,
}).sort();

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
};

const isShared = (file) => sharedFiles.includes(path.relative(source, file));
const nameOf = (file) => path.basename(file).replace(/\.tsx?$/, "");

// Leaves import() to the browser, and notes in `lazy` what has to be built for it.
const lazyFiles = (lazy) => ({
  name: "lazy files",
  setup(build) {
    build.onResolve({ filter: /./ }, (one) => {
      if (one.kind !== "dynamic-import") return undefined;
      const file = one.path.startsWith(".") ? path.resolve(one.resolveDir, one.path) : one.path;
      lazy.set(nameOf(file), file);
      return { path: `./${nameOf(file)}.js`, external: true };
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

async function buildMain(plugins) {
  const shared = sharedFiles.map((file) => `./${file}`).concat(libraries);
  const contents = ["./main.tsx", ...shared].map((one) => `export * from "${one}";`).join("\n");
  const stdin = { contents, resolveDir: source, sourcefile: "main.js", loader: "ts" };
  const result = await build({ ...options, stdin, plugins });
  return { name: "main.js", bytes: Buffer.from(result.outputFiles[0].contents) };
}

async function buildEntries(entryPoints, plugins = []) {
  const result = await build({ ...options, entryPoints, plugins });
  return result.outputFiles.map((file) => ({
    name: path.basename(file.path),
    bytes: Buffer.from(file.contents),
  }));
}

async function buildLanguage(language) {
  const lazy = new Map();
  const plugins = [lazyFiles(lazy), textsIn(language)];
  const files = [await buildMain(plugins)];
  // The map grows meanwhile: a lazy file may have lazy files of its own.
  for (const [name, file] of lazy) {
    files.push(...(await buildEntries({ [name]: file }, [...plugins, fromMain])));
  }
  return files.map(({ name, bytes }) => ({ name: `${language}/${name}`, bytes }));
}

// Worklets are loaded by their address, into a world of their own.
const worklets = () =>
  Object.fromEntries(globSync("worklets/*.ts", { cwd: source }).map((file) => [
    nameOf(file),
    path.join(source, file),
  ]));

// Returns the names and bytes of the files, sorted by name.
export async function bundle() {
  const common = { start: "src/start.ts", style: "src/css/style.css", docs: "src/css/docs.css" };
  const files = await buildEntries({ ...common, ...worklets() }, [lazyFiles(new Map())]);
  for (const language of languages) files.push(...(await buildLanguage(language)));
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

if (import.meta.main) await main(path.resolve(process.argv[2] ?? "out"));
