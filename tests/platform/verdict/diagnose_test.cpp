#include "platform/verdict/diagnose.h"

#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"

namespace platform {
namespace {

Matrix with_rows() {
  Matrix matrix;
  matrix.findings = {
      {.code = "BOTH", .headline = "{card}: both", .match = {{"first", "second"}}},
      {.code = "EITHER", .headline = "{card} with {pack}", .match = {{"first"}, {"third"}}},
      {.code = "NEVER", .headline = "x", .match = {{}}},
      {.code = "LATER", .headline = "y", .match = {{"third"}}},
  };
  return matrix;
}

std::string code_of(std::string_view text) {
  const auto finding = diagnose(text, with_rows(), "RTX", "cuda-13");
  return finding ? finding->code : "";
}

TEST(Diagnose, NeedsEveryStringOfOneList) {
  EXPECT_EQ(code_of("second then first"), "BOTH");
  EXPECT_EQ(code_of("first"), "EITHER");
  EXPECT_EQ(code_of("second"), "");
}

TEST(Diagnose, TakesTheFirstRowThatMatches) {
  EXPECT_EQ(code_of("a third"), "EITHER");
}

TEST(Diagnose, MindsTheCase) {
  EXPECT_EQ(code_of("FIRST"), "");
}

TEST(Diagnose, AnEmptyListMatchesNothing) {
  EXPECT_EQ(code_of("anything"), "");
}

TEST(Diagnose, NamesCardAndPackAndTheLine) {
  const auto finding = diagnose("begin\nan error: third.\nend", with_rows(), "RTX", "cuda-13");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "RTX with the pack cuda-13");
  EXPECT_EQ(finding->evidence.found, "an error: third.");
  EXPECT_EQ(finding->severity, Severity::blocked);
}

TEST(Diagnose, KnowsWhatLibtorchSays) {
  const Matrix matrix = built_in_matrix().matrix;
  const auto finding = diagnose("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB",
                                matrix, "NVIDIA GeForce RTX 3060", "cuda-13");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::gpu_out_of_memory);
  EXPECT_NE(finding->headline.find("RTX 3060"), std::string::npos);
  EXPECT_FALSE(diagnose("the file is no audio", matrix, "RTX", "cuda-13"));
}

}  // namespace
}  // namespace platform
