#include "platform/matrix/rows.h"

// This file reads the rows about models and their sizes, the memory rules, and tested combinations.
namespace platform {

namespace {

// The bounds keep every product of the memory formula far below what 64 bits hold.
ModelSize read_size(RowReader& row) {
  return {.parameters = row.large("parameters", 1, 1'000'000'000'000),
          .d_model = row.whole("d_model", 1, 65'536),
          .heads = row.whole("heads", 1, 1'024),
          .encoder_layers = row.whole("encoder_layers", 1, 1'024),
          .decoder_layers = row.whole("decoder_layers", 1, 1'024),
          .encoder_positions = row.whole("encoder_positions", 1, 16'384),
          .decoder_positions = row.whole("decoder_positions", 1, 16'384),
          .vocabulary = row.whole("vocabulary", 1, 1'048'576)};
}

}  // namespace

ModelRow read_model(RowReader& row) {
  ModelRow model{.name = row.text("name"),
                 .aliases = row.texts("aliases"),
                 .size = read_size(row),
                 .english_only = row.flag("english_only"),
                 .minimum_gb = row.number("minimum_gb", 0, 10'000),
                 .recommended_gb = row.number("recommended_gb", 0, 10'000)};
  if (model.minimum_gb.has_value() != model.recommended_gb.has_value()) {
    row.refuse("minimum_gb and recommended_gb go together");
  }
  if (model.minimum_gb && *model.recommended_gb < *model.minimum_gb) {
    row.refuse("recommended_gb is below minimum_gb");
  }
  return model;
}

MemoryRules read_memory_rules(RowReader& row) {
  const MemoryRules usual{};
  return {.overhead_mib = row.whole("overhead_mib", 0, 1'000'000),
          .factor = row.number("factor", 1, 100).value_or(usual.factor)};
}

TestedRow read_tested(RowReader& row) {
  TestedRow tested{.torch = row.version("torch").text(), .variant = row.text("variant")};
  if (const auto cudnn = row.optional_version("cudnn")) tested.cudnn = cudnn->text();
  tested.status = row.text_of("status", {"recommended", "issues_known", "cpu_only"});
  tested.gpu = row.optional_text("gpu");
  tested.note = row.optional_text("note");
  return tested;
}

}  // namespace platform
