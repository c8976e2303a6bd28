#include "server/models/model_report.h"

#include <array>
#include <optional>
#include <utility>

#include "engine/model_families/inspect.h"
#include "platform/matrix/matrix.h"
#include "platform/verdict/memory_need.h"
#include "server/models/helper_models.h"
#include "server/models/inspection.h"

namespace server {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::array compute_types{"float32", "float16", "bfloat16", "int8"};

std::uint64_t size_of_file(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : size;
}

std::uint64_t total_size(const std::vector<fs::path>& files) {
  std::uint64_t total = 0;
  for (const auto& file : files) total += size_of_file(file);
  return total;
}

std::uint64_t bytes_to_write(const ImportPlan& plan) {
  if (!plan.model) return size_of_file(plan.path);
  std::uint64_t bytes = total_size(plan.files);
  if (plan.base) {
    const auto of_base = model_files(*plan.base);
    if (of_base) bytes += total_size(*of_base);
  }
  return bytes;
}

// Returns whether nearly all numbers are float16, as the matrices then are.
bool is_half(const engine::NumberCounts& numbers) {
  std::int64_t half = 0;
  std::int64_t all = 0;
  for (const auto& [type, count] : numbers) {
    all += count;
    if (type == "f16") half += count;
  }
  return half > all / 10 * 9;
}

std::vector<MemoryOfType> memory_of(const engine::Inspection& model) {
  const platform::MemoryRules rules = platform::built_in_matrix().matrix.memory;
  std::vector<MemoryOfType> memory;
  for (const bool on_cpu : {true, false}) {
    for (const std::string type : compute_types) {
      if (on_cpu && type == "float16") continue;  // it is for GPUs
      const platform::MemoryQuestion question{
          .compute_type = type, .on_cpu = on_cpu, .half_weights = is_half(model.numbers)};
      memory.push_back(
          {on_cpu ? "cpu" : "gpu", type, platform::memory_to_have(model.size, rules, question)});
    }
  }
  return memory;
}

Json json_of(const engine::AlignmentHeads& heads) {
  const bool stated = heads.source == engine::AlignmentHeads::Source::model;
  return {{"source", stated ? "model" : "architecture"},
          {"count", stated ? Json(heads.count) : Json()},
          {"left_out", heads.left_out}};
}

Json json_of(const engine::Inspection& model) {
  return {{"format", model.format},
          {"writer", model.writer.empty() ? Json() : Json(model.writer)},
          {"numbers", model.numbers},
          {"parameters", model.size.parameters},
          {"dims", model.dims},
          {"multilingual", model.multilingual},
          {"languages", model.languages},
          {"tokens_from", model.tokens_from},
          {"alignment_heads", json_of(model.alignment_heads)},
          {"notes", model.notes}};
}

Json json_of(const ImportPlan& plan) {
  if (!plan.adapter) return nullptr;
  const engine::AdapterFacts& facts = *plan.adapter;
  return {{"writer", facts.writer.empty() ? Json() : Json(facts.writer)},
          {"layers", facts.layers},
          {"rank", facts.rank},
          {"numbers", facts.numbers}};
}

Json json_of(const std::optional<StoreError>& refusal) {
  if (!refusal) return nullptr;
  return {{"code", name(refusal->code)}, {"message", refusal->message}, {"fix", refusal->fix}};
}

ModelReport report_of(ImportPlan plan) {
  ModelReport report{.plan = std::move(plan)};
  report.bytes = bytes_to_write(report.plan);
  if (report.plan.model) report.memory = memory_of(*report.plan.model);
  return report;
}

}  // namespace

ModelReport check_model(const ModelStore& store, const fs::path& path,
                        const ImportOptions& options) {
  ModelReport report = report_of(plan_import(store, path, options));
  if (report.plan.model) report.left_out = engine::files_left_out(path);
  return report;
}

StoreResult<ModelReport> check_installed(const ModelStore& store, std::string_view name_or_alias) {
  const auto model = store.find_whole(name_or_alias);
  if (!model) return model.error();
  if (const auto* helper = find_helper(model->manifest.name)) {
    return StoreError{
        StoreErrc::unknown_model,
        helper->name + " " + helper->purpose + "; it does not transcribe, and has no report",
        "Name a Whisper model, for instance base."};
  }
  // An import of it under its own name would change nothing, and its folder has no other files.
  return report_of(
      plan_import(store, model->folder, {.name = model->manifest.name, .replace = true}));
}

// All reports have the same keys: a fact that was not found is null or empty.
Json report_json(const ModelReport& report) {
  const ImportPlan& plan = report.plan;
  Json json{{"usable", !plan.refusal},
            {"refusal", json_of(plan.refusal)},
            {"model", plan.model ? json_of(*plan.model) : Json()},
            {"adapter", json_of(plan)},
            {"name", plan.name.empty() ? Json() : Json(plan.name)},
            {"vocabulary_of", plan.vocabulary_of.empty() ? Json() : Json(plan.vocabulary_of)},
            {"bytes", report.bytes},
            {"files", Json::array()},
            {"left_out", Json::array()},
            {"memory", Json::array()}};
  for (const auto& file : plan.files) {
    json["files"].push_back({{"name", file.filename().string()}, {"bytes", size_of_file(file)}});
  }
  for (const auto& [name, why] : report.left_out) {
    json["left_out"].push_back({{"name", name}, {"why", why}});
  }
  for (const auto& [device, type, bytes] : report.memory) {
    json["memory"].push_back({{"device", device}, {"compute_type", type}, {"bytes", bytes}});
  }
  return json;
}

}  // namespace server
