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
      {.code = "LIST", .headline = "{card}[; it has {found}]", .match = {{"fourth"}}},
  };
  return matrix;
}

FailedDevice rtx() {
  return {
      .backend = Backend::cuda, .card = "RTX", .pack = "cuda-13", .read_from = "the worker's end"};
}

std::string code_of(std::string_view text) {
  const auto finding = diagnose(text, with_rows(), rtx());
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
  const auto finding = diagnose("begin\nan error: third.\nend", with_rows(), rtx());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "RTX with the pack cuda-13");
  EXPECT_EQ(finding->evidence.found, "an error: third.");
  EXPECT_EQ(finding->evidence.read_from, "the worker's end");
  EXPECT_EQ(finding->severity, Severity::blocked);
}

TEST(Diagnose, PutsNoLineIntoTheHeadline) {
  const auto finding = diagnose("a fourth error", with_rows(), rtx());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "RTX");
  EXPECT_EQ(finding->evidence.found, "a fourth error");
}

TEST(Diagnose, TakesNoSignatureFromSeveralLines) {
  EXPECT_EQ(code_of("second\nfirst"), "EITHER");
  EXPECT_EQ(code_of("x\nsecond then first\ny"), "BOTH");
}

TEST(Diagnose, PassesOverRowsOfAnotherMaker) {
  Matrix matrix;
  for (const char* vendor : {"nvidia", "amd", "apple", "any"}) {
    matrix.findings.push_back(
        {.code = vendor, .vendor = vendor, .headline = "x", .match = {{"failed"}}});
  }
  const auto code = [&](Backend backend) {
    return diagnose("it failed", matrix, {.backend = backend})->code;
  };
  EXPECT_EQ(code(Backend::cuda), "nvidia");
  EXPECT_EQ(code(Backend::rocm), "amd");
  EXPECT_EQ(code(Backend::mps), "apple");
  EXPECT_EQ(code(Backend::cpu), "any");
}

TEST(Diagnose, KnowsWhatLibtorchSays) {
  const Matrix matrix = built_in_matrix().matrix;
  const auto finding =
      diagnose("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB", matrix, rtx());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::gpu_out_of_memory);
  EXPECT_NE(finding->headline.find("RTX"), std::string::npos);
  EXPECT_FALSE(diagnose("the file is no audio", matrix, rtx()));
}

}  // namespace
}  // namespace platform
