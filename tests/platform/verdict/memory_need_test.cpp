#include "platform/verdict/memory_need.h"

#include <gtest/gtest.h>

#include <cmath>

namespace platform {
namespace {

const ModelSize& model(const char* name) {
  static const Matrix matrix = built_in_matrix().matrix;
  const ModelRow* row = matrix.find_model(name);
  EXPECT_NE(row, nullptr) << name;
  return row->size;
}

double need_mib(const char* name, MemoryQuestion question) {
  return static_cast<double>(memory_need(model(name), MemoryRules{}, question)) / (1 << 20);
}

struct Figures {
  const char* model;
  double float32, float16, int8;
  double float16_batch8;
};

// The figures are MiB with beam 5 and batch 1, except in the last row.
constexpr Figures figures[] = {
    {"tiny", 692.1, 580.5, 564.7, 940.0},
    {"base", 880.3, 674.6, 632.6, 1228.6},
    {"small", 1724.2, 1096.5, 907.5, 2346.1},
    {"medium", 4177.9, 2323.4, 1651.4, 5189.0},
    {"large", 7642.0, 4055.5, 2655.5, 8639.3},
    {"large-v3", 7642.8, 4055.8, 2655.8, 8639.7},
    {"large-v3-turbo", 3817.9, 2143.4, 1443.4, 3147.9},
};

TEST(MemoryNeed, GivesTheKnownFigures) {
  for (const auto& row : figures) {
    EXPECT_NEAR(need_mib(row.model, {.compute_type = "float32"}), row.float32, 0.1) << row.model;
    EXPECT_NEAR(need_mib(row.model, {.compute_type = "float16"}), row.float16, 0.1) << row.model;
    EXPECT_NEAR(need_mib(row.model, {.compute_type = "bfloat16"}), row.float16, 0.1) << row.model;
    EXPECT_NEAR(need_mib(row.model, {.compute_type = "int8"}), row.int8, 0.1) << row.model;
    EXPECT_NEAR(need_mib(row.model, {.compute_type = "float16", .batch = 8}), row.float16_batch8,
                0.1)
        << row.model;
  }
}

// base took 208, 263 and 323 MB at most in int8, bfloat16 and float32, with weights that are
// float16 in the file.
TEST(MemoryToHave, IsNearWhatACpuTakes) {
  const auto mb = [](const char* type, bool half_weights) {
    const MemoryQuestion question{
        .compute_type = type, .on_cpu = true, .half_weights = half_weights};
    return static_cast<double>(memory_to_have(model("base"), MemoryRules{}, question)) / 1e6;
  };
  EXPECT_NEAR(mb("int8", true), 1.1 * 208, 0.1 * 208);
  EXPECT_NEAR(mb("bfloat16", true), 1.1 * 263, 0.1 * 263);
  EXPECT_NEAR(mb("float32", true), 1.1 * 323, 0.1 * 323);
  EXPECT_EQ(mb("int8", false), mb("int8", true));
  EXPECT_NEAR(mb("float32", false) - mb("float32", true), 1.1 * 2 * 72.6, 2);
}

TEST(MemoryNeed, CountsOneBeamForEachSequenceAndTheCrossCacheOnce) {
  // base in float16 needs 2 * 6 layers * 448 positions * 512 * 2 bytes a sequence, and 48 for each
  // token of its logits.
  const double beam = (2.0 * 6 * 448 * 512 * 2 + 48.0 * 51865) / (1 << 20);
  EXPECT_NEAR(need_mib("base", {.beam_size = 5}) - need_mib("base", {.beam_size = 1}), 4 * beam,
              0.001);
}

TEST(MemoryNeed, CountsTheScoresWhereAttentionIsNotFused) {
  const double scores =
      need_mib("large", {.fused_attention = false}) - need_mib("large", {.fused_attention = true});
  EXPECT_NEAR(scores, 343.3, 0.1);
}

TEST(MemoryToHave, BesideWeightsIsWhatEachProcessHasOfItsOwn) {
  const MemoryRules rules{.overhead_mib = 457, .factor = 1.5};
  for (const char* type : {"float32", "int8"}) {
    const MemoryQuestion question{.compute_type = type, .batch = 8};
    const auto whole = memory_to_have(model("base"), rules, question);
    const auto own = memory_to_have_beside_weights(model("base"), rules, question);
    const auto parameters = static_cast<double>(model("base").parameters);
    const auto embedding = static_cast<double>(vocabulary_weights(model("base")));
    const double bytes = type[0] == 'f' ? 4 * parameters : parameters + embedding;
    EXPECT_NEAR(static_cast<double>(whole - own), 1.5 * bytes, 0.05 * bytes) << type;
  }
}

TEST(MemoryToHave, IsTheNeedTimesTheFactor) {
  const MemoryRules rules{.overhead_mib = 457, .factor = 1.5};
  EXPECT_NEAR(static_cast<double>(memory_to_have(model("base"), rules, {})),
              1.5 * static_cast<double>(memory_need(model("base"), rules, {})), 2);
}

}  // namespace
}  // namespace platform
