// The rows in which a model's report is shown.
import { formatBytes, formatDecimal, formatNumber, languageName, textsOf } from "../../i18n/i18n.ts";
import { models as en } from "../../i18n/en/models.ts";
import { models as de } from "../../i18n/de/models.ts";
import type { AlignmentHeads, MemoryOfType, ModelFacts, ModelReport } from "../../api/types.ts";
import type { FactRow } from "../../ui/facts.tsx";

const texts = textsOf({ en, de });

export function reportRows({ model, memory, files }: ModelReport): FactRow[] {
  return [
    ...(model === null ? [] : modelRows(model)),
    [texts.memoryOnCpu, memoryOn("cpu", memory)],
    [texts.memoryOnGpu, memoryOn("gpu", memory)],
    [texts.file, files.map(({ name, bytes }) => `${name} (${formatBytes(bytes)})`).join(", ")],
    [texts.note, model?.notes.join(" ") ?? ""],
  ].filter(([, value]) => value !== "") as FactRow[];
}

function memoryOn(device: string, memory: readonly MemoryOfType[]): string {
  return memory
    .filter((row) => row.device === device)
    .map((row) => `${row.compute_type} ${formatBytes(row.bytes)}`)
    .join(", ");
}

function modelRows(model: ModelFacts): FactRow[] {
  const size = (name: string) => model.dims[name] ?? 0;
  const side = (which: string) =>
    texts.side(size(`n_${which}_layer`), size(`n_${which}_head`), size(`n_${which}_state`));
  return [
    [texts.form, model.writer === null ? model.format : texts.writtenBy(model.format, model.writer)],
    [texts.numbers, numbersOf(model)],
    [texts.encoder, `${side("audio")}, ${texts.mels(size("n_mels"))}`],
    [texts.decoder, side("text")],
    [texts.vocabulary, vocabularyOf(model)],
    [texts.spoken, languagesOf(model.languages)],
    [texts.alignmentHeads, headsOf(model.alignment_heads)],
  ];
}

function numbersOf({ numbers }: ModelFacts): string {
  return Object.entries(numbers)
    .map(([type, count]) => texts.million(type, formatDecimal(count / 1e6)))
    .join(", ");
}

function vocabularyOf({ dims, tokens_from }: ModelFacts): string {
  const count = formatNumber(dims.n_vocab ?? 0);
  return tokens_from.length === 0 ? texts.tokens(count) : texts.definedBy(count, tokens_from.join(", "));
}

function languagesOf(codes: readonly string[]): string {
  return codes.length <= 3 ? codes.map(languageName).join(", ") : texts.languages(formatNumber(codes.length));
}

function headsOf({ source, count }: AlignmentHeads): string {
  return source === "model" ? texts.headsStated(count ?? 0) : texts.headsOfArchitecture;
}
