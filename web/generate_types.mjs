// Writes src/api/types.ts from the daemon's description of itself:
//   node generate_types.mjs OPENAPI [FILE]     OPENAPI is a file, or an address of a running scribed
// Only what answers are made of is written: the schemas, each as a type of its name.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const header = `// Made by web/generate_types.mjs from /openapi.json. Do not edit.
`;

// Returns the type of a schema as TypeScript, for a place that is indented by `indent`.
export function typeOf(schema, indent = "") {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((one) => typeOf(one, indent)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  }
  if (schema.type === "array") return arrayType(schema, indent);
  if (schema.type === "object") return objectType(schema, indent);
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string" || schema.type === "boolean" || schema.type === "null") {
    return schema.type;
  }
  return "unknown";
}

function arrayType(schema, indent) {
  if (schema.prefixItems) {
    return `[${schema.prefixItems.map((one) => typeOf(one, indent)).join(", ")}]`;
  }
  const items = typeOf(schema.items ?? {}, indent);
  return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
}

function objectType(schema, indent) {
  if (!schema.properties) {
    const values = schema.additionalProperties;
    return `Record<string, ${typeof values === "object" ? typeOf(values, indent) : "unknown"}>`;
  }
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties).map(([name, property]) => {
    const comment = property.description ? `${inner}// ${property.description}\n` : "";
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    return `${comment}${inner}${key}${required.has(name) ? "" : "?"}: ${typeOf(property, inner)};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

export function typesOf(document) {
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  return [header, ...types].join("\n");
}

async function read(source) {
  if (!source.startsWith("http")) return JSON.parse(await readFile(source, "utf8"));
  const url = new URL("openapi.json", source.endsWith("/") ? source : `${source}/`);
  return (await fetch(url)).json();
}

if (process.argv[1] === import.meta.filename) {
  const [source, file = path.join(import.meta.dirname, "src/api/types.ts")] = process.argv.slice(2);
  if (source === undefined) throw new Error("usage: generate_types.mjs OPENAPI [FILE]");
  await writeFile(file, typesOf(await read(source)));
}
