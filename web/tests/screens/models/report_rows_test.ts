import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFacts, ModelReport } from "../../../src/api/types.ts";
import { reportRows } from "../../../src/screens/models/report_rows.ts";

const facts: ModelFacts = {
  format: "safetensors",
  writer: "transformers 4.46.0",
  numbers: { f16: 72_593_920 },
  parameters: 72_593_920,
  dims: {
    n_mels: 80,
    n_vocab: 51865,
    n_audio_layer: 6,
    n_audio_head: 8,
    n_audio_state: 512,
    n_text_layer: 2,
    n_text_head: 8,
    n_text_state: 512,
  },
  multilingual: true,
  languages: ["en", "de", "fr", "gsw"],
  tokens_from: ["tokenizer.json", "generation_config.json"],
  alignment_heads: { source: "model", count: 8, left_out: false },
  notes: [],
};

const report = (model: ModelFacts | null): ModelReport => ({
  id: "mine",
  usable: model !== null,
  refusal: null,
  model,
  adapter: null,
  name: "mine",
  vocabulary_of: null,
  bytes: 294_100_000,
  files: [{ name: "model.safetensors", bytes: 290_000_000 }],
  left_out: [],
  memory: [
    { device: "cpu", compute_type: "float32", bytes: 400_000_000 },
    { device: "cpu", compute_type: "int8", bytes: 240_000_000 },
    { device: "gpu", compute_type: "int8", bytes: 800_000_000 },
  ],
});

test("a report says form, sizes, tokens, heads and memory", () => {
  assert.deepEqual(Object.fromEntries(reportRows(report(facts))), {
    Format: "safetensors, written by transformers 4.46.0",
    "Precision of the file": "f16 (72.6 million)",
    Encoder: "6 layers, 8 heads, width 512, 80 mel bins",
    Decoder: "2 layers, 8 heads, width 512",
    Vocabulary: "51,865 tokens, defined by tokenizer.json, generation_config.json",
    Languages: "4 languages",
    "Alignment heads": "8, stated by the model's files",
    "Free memory needed on a CPU": "float32 400 MB, int8 240 MB",
    "Free memory needed on a GPU": "int8 800 MB",
    File: "model.safetensors (290 MB)",
  });
});

test("what is not known has no row", () => {
  const heads = { source: "architecture", count: null, left_out: true } as const;
  const rows = new Map(reportRows(report({ ...facts, writer: null, tokens_from: [], alignment_heads: heads })));
  assert.equal(rows.get("Format"), "safetensors");
  assert.equal(rows.get("Vocabulary"), "51,865 tokens");
  assert.match(rows.get("Alignment heads") ?? "", /OpenAI/);
  assert.equal(rows.get("Note"), undefined);
  assert.deepEqual(
    [...new Map(reportRows({ ...report(null), memory: [] })).keys()], ["File"]);
});
