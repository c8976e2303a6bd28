// Writes the page as a source file of the daemon: node pack.mjs FILE. Each file of it is compressed
// once and for all; the same sources give the same bytes. Beside FILE lies page-licences.txt, which is
// installed with the program.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bundle, hashOf, indexPage } from "./build.mjs";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

// zlib writes no time into the head; the ninth byte would be the system's.
function compressed(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255;
  return packed;
}

function arrayOf(bytes, index) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 24) lines.push(bytes.subarray(at, at + 24).join(","));
  return `constexpr unsigned char file_${index}[] = {\n${lines.join(",\n")}};\n`;
}

function row({ name }, index) {
  const type = types[path.extname(name)];
  return `    PageFile{"${name}", "${type}", bytes_of(file_${index})},`;
}

async function sourceFile(files) {
  const hash = hashOf(files);
  files.push({ name: "index.html", bytes: Buffer.from(await indexPage(hash)) });
  return `// Made by web/pack.mjs.
#include <array>

#include "server/web/page_files.h"

namespace server::web {
namespace {

template <std::size_t size>
std::string_view bytes_of(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size};
}

${files.map(({ bytes }, index) => arrayOf(compressed(bytes), index)).join("\n")}
const std::array files{
${files.map(row).join("\n")}
};

}  // namespace

PageFiles page_files() {
  return {"${hash}", files};
}

}  // namespace server::web
`;
}

const out = path.resolve(process.argv[2]);
await mkdir(path.dirname(out), { recursive: true });
const files = await bundle();
const licences = files.find(({ name }) => name === "licences.txt");
await writeFile(path.join(path.dirname(out), "page-licences.txt"), licences.bytes);
await writeFile(out, await sourceFile(files));
