import assert from "node:assert/strict";
import { test } from "node:test";
import { typeOf, typesOf } from "../generate_types.mjs";

test("schemas become the types that TypeScript has for them", () => {
  const cases: [unknown, string][] = [
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", "b"], type: "string" }, '"a" | "b"'],
    [{ const: "list" }, '"list"'],
    [{ $ref: "#/components/schemas/Job" }, "Job"],
    [{ anyOf: [{ $ref: "#/components/schemas/Job" }, { type: "null" }] }, "Job | null"],
    [{ type: "array", items: { type: ["number", "null"] } }, "(number | null)[]"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{}, "unknown"],
  ];
  for (const [schema, type] of cases) assert.equal(typeOf(schema), type);
});

test("fields that may be missing are marked, and descriptions become comments", () => {
  const schema = {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, "odd-name": { type: "number", description: "Seconds" } },
  };
  const text = typesOf({ components: { schemas: { Thing: schema } } });
  assert.ok(text.endsWith('export type Thing = {\n  id: string;\n  // Seconds\n  "odd-name"?: number;\n};\n'), text);
});
