#include "platform/verdict/make_finding.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

Matrix with_row(std::string headline, std::vector<std::string> fix = {}) {
  Matrix matrix;
  matrix.findings = {{.code = "ODD", .headline = std::move(headline), .fix = std::move(fix)}};
  return matrix;
}

std::string headline(const std::string& words, const FindingValues& values) {
  return make_finding(with_row(words), "ODD", Severity::note, values, "").headline;
}

TEST(MakeFinding, FillsTheRowsWords) {
  const Matrix matrix = with_row("{card}: driver {found}, {needed} for {pack}", {"Update {card}"});
  const Finding finding = make_finding(
      matrix, "ODD", Severity::degraded,
      {.card = "RTX", .found = "470", .needed = "580", .pack = "the pack cuda-13"}, "a file");
  EXPECT_EQ(finding.code, "ODD");
  EXPECT_EQ(finding.severity, Severity::degraded);
  EXPECT_EQ(finding.headline, "RTX: driver 470, 580 for the pack cuda-13");
  EXPECT_EQ(finding.fix, std::vector<std::string>{"Update RTX"});
  EXPECT_EQ(finding.evidence.found, "470");
  EXPECT_EQ(finding.evidence.needed, "580");
  EXPECT_EQ(finding.evidence.read_from, "a file");
  EXPECT_EQ(finding.link, "docs/gpu-findings.md#odd");
}

TEST(MakeFinding, LeavesAPartInBracketsOutWhereItsValueIsMissing) {
  EXPECT_EQ(headline("{card} is hidden[ by {value}]", {.card = "RTX"}), "RTX is hidden");
  EXPECT_EQ(headline("{card} is hidden[ by {value}]!", {.card = "RTX", .value = "X=1"}),
            "RTX is hidden by X=1!");
  EXPECT_EQ(headline("A[ {found}][ {needed}]B", {.needed = "n"}), "A nB");
}

TEST(MakeFinding, LeavesAStepOutWhereItsValueIsMissing) {
  const Matrix matrix = with_row("x", {"always", "set {value}", "never"});
  EXPECT_EQ(make_finding(matrix, "ODD", Severity::note, {}, "").fix,
            (std::vector<std::string>{"always", "never"}));
}

TEST(MakeFinding, HasANeutralWordForWhatIsMissing) {
  EXPECT_EQ(headline("{card} under {pack}", {}), "The GPU under this build");
}

TEST(MakeFinding, KeepsBracesAndBracketsOfValues) {
  EXPECT_EQ(headline("{card}[ {value}]", {.card = "{found}", .found = "x", .value = "[y]{z}"}),
            "{found} [y]{z}");
}

TEST(MakeFinding, BeginsASentenceWithACapital) {
  EXPECT_EQ(headline("{card} found", {.card = "an NVIDIA card"}), "An NVIDIA card found");
  EXPECT_EQ(headline("{card} found", {.card = "gfx1030"}), "gfx1030 found");
}

TEST(MakeFinding, SpeaksWithoutARow) {
  const Finding finding = make_finding(Matrix{}, "CUDA_NEW_TROUBLE", Severity::blocked,
                                       {.card = "RTX", .found = "7"}, "");
  EXPECT_EQ(finding.headline, "RTX: CUDA_NEW_TROUBLE, found 7");
  EXPECT_EQ(finding.link, "docs/gpu-findings.md#cuda_new_trouble");
}

TEST(PackInWords, SaysWhatTheNameIs) {
  EXPECT_EQ(pack_in_words("cuda-13"), "the pack cuda-13");
  EXPECT_EQ(pack_in_words(""), "");
}

}  // namespace
}  // namespace platform
