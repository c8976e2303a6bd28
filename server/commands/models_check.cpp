#include "server/commands/models_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "protocol/json_text.h"
#include "server/commands/models_progress.h"
#include "server/commands/surroundings.h"
#include "server/device/device_plan.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr std::size_t most_codes = 6;  // languages that are listed rather than counted

// Names of files and words in them are a stranger's.
void print_row(std::string_view label, std::string_view text) {
  fmt::print("{:<16}{}\n", label, printable_line(text));
}

// Returns "f16 (72.6 million), f32 (0.1 million)".
std::string numbers_text(const engine::NumberCounts& numbers) {
  std::vector<std::string> texts;
  for (const auto& [type, count] : numbers) {
    texts.push_back(fmt::format("{} ({:.1f} million)", type, static_cast<double>(count) / 1e6));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string form_of(const engine::Inspection& model) {
  return model.writer.empty() ? model.format : model.format + ", written by " + model.writer;
}

std::string vocabulary_of(const ModelReport& report) {
  const engine::Inspection& model = *report.plan.model;
  std::string text = fmt::format("{} tokens", model.dims.at("n_vocab"));
  if (!report.plan.vocabulary_of.empty()) {
    return text + ", with the vocabulary of the installed model " + report.plan.vocabulary_of;
  }
  if (model.tokens_from.empty()) return text;
  text += fmt::format(", defined by {}", fmt::join(model.tokens_from, " and "));
  return model.tokens_from.size() > 1 ? text + ", which agree" : text;
}

std::string heads_text(const engine::AlignmentHeads& heads) {
  if (heads.source == engine::AlignmentHeads::Source::model) {
    return fmt::format("{}, stated by the model's files", heads.count);
  }
  const char* why = heads.left_out ? "stated ones are not in the decoder" : "not stated";
  return fmt::format("{}; those of OpenAI's model of this size, or of the upper half", why);
}

std::string languages_text(const std::vector<std::string>& codes) {
  if (codes.size() > most_codes) return fmt::format("{} languages", codes.size());
  return fmt::format("{}", fmt::join(codes, ", "));
}

void print_model_rows(const ModelReport& report) {
  const engine::Inspection& model = *report.plan.model;
  print_row("form", form_of(model));
  print_row("precision", numbers_text(model.numbers));
  if (model.family == "whisper") {
    const auto& dims = model.dims;
    print_row("encoder",
              fmt::format("{} layers, {} heads, width {}, {} mel bins, {} positions",
                          dims.at("n_audio_layer"), dims.at("n_audio_head"),
                          dims.at("n_audio_state"), dims.at("n_mels"), dims.at("n_audio_ctx")));
    print_row("decoder",
              fmt::format("{} layers, {} heads, width {}, {} positions", dims.at("n_text_layer"),
                          dims.at("n_text_head"), dims.at("n_text_state"), dims.at("n_text_ctx")));
    print_row("vocabulary", vocabulary_of(report));
    print_row("alignment heads", heads_text(model.alignment_heads));
  }
  if (!model.languages.empty()) print_row("languages", languages_text(model.languages));
}

void print_adapter_rows(const ImportPlan& plan) {
  if (!plan.base) return;
  std::string text = "LoRA, changes " + plan.base->string();
  if (plan.adapter) {
    text = fmt::format("LoRA{}, {} layers, rank at most {}, changes {}",
                       plan.adapter->writer.empty() ? "" : " of " + plan.adapter->writer,
                       plan.adapter->layers, plan.adapter->rank, plan.base->string());
  }
  print_row("adapter", text);
}

bool is_quantized(const engine::NumberCounts& numbers) {
  for (const auto& [type, count] : numbers) {
    if (type != "f32" && type != "f16" && type != "bf16") return true;
  }
  return false;
}

void print_import_rows(const ModelReport& report) {
  const ImportPlan& plan = report.plan;
  if (plan.refusal) return;
  print_row("import",
            fmt::format("{} as {}",
                        plan.base ? "merged with its base and installed" : "copied and installed",
                        plan.name));
  if (is_quantized(plan.model->numbers)) {
    print_row("conversion", "quantized tensors are converted each time the model is loaded");
  }
}

void print_memory(const std::vector<MemoryOfType>& memory) {
  if (memory.empty()) return;
  for (const char* device : {"cpu", "gpu"}) {
    std::vector<std::string> texts;
    for (const auto& row : memory) {
      if (row.device != device) continue;
      texts.push_back(row.compute_type + " " +
                      readable_size(static_cast<std::uint64_t>(row.bytes)));
    }
    print_row(fmt::format("memory, {}", device), fmt::format("{}", fmt::join(texts, ", ")));
  }
}

}  // namespace

std::optional<ModelRun> run_of(const ModelReport& report) {
  if (report.plan.refusal) return std::nullopt;
  const auto sources = setup_sources({});
  auto request = device_survey(sources.device, sources.environment);
  if (!request) return std::nullopt;
  request->model = {"", report.plan.base.value_or(report.plan.path)};
  request->probe_cache = sources.probe_cache;
  const auto survey = survey_machine(*request);
  if (!survey) return std::nullopt;
  const auto devices = plan_devices(*survey);
  if (!devices) return std::nullopt;
  const platform::Verdict& first = devices->candidates.front().verdict;
  return ModelRun{first.device(), first.compute_type, devices->reason};
}

void print_check(const ModelReport& report, const std::optional<ModelRun>& run, bool as_json) {
  const ImportPlan& plan = report.plan;
  if (as_json) {
    nlohmann::ordered_json json{{"path", plan.path.string()}};
    json.update(report_json(report));
    json["run"] = nullptr;
    if (run) {
      json["run"] = {
          {"device", run->device}, {"compute_type", run->compute_type}, {"reason", run->reason}};
    }
    fmt::print("{}\n", protocol::json::dump(json, 2));
    return;
  }
  print_row("path", plan.path.string());
  print_adapter_rows(plan);
  if (plan.model) print_model_rows(report);
  if (report.bytes > 0) print_row("size", readable_size(report.bytes));
  for (const auto& [name, why] : report.left_out) print_row("left out", name + ": " + why);
  if (plan.model) {
    for (const auto& note : plan.model->notes) print_row("note", note);
  }
  print_import_rows(report);
  if (run)
    print_row("runs", fmt::format("on {} in {}: {}", run->device, run->compute_type, run->reason));
  print_memory(report.memory);
}

}  // namespace server
