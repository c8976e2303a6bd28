#include <gtest/gtest.h>

#include "platform/matrix/matrix.h"

namespace platform {
namespace {

ComputeCapability cc(const char* text) {
  return ComputeCapability::parse(text).value();
}

struct CubinCase {
  const char* built_for;
  const char* device;
  bool runs;
};

TEST(CubinRunsOn, FollowsTheMajorAndItsExceptions) {
  const Matrix matrix = built_in_matrix().matrix;
  const CubinCase cases[] = {
      {"8.6", "8.6", true},
      {"8.6", "8.9", true},
      {"8.0", "8.6", true},
      {"8.6", "8.0", false},
      {"8.6", "9.0", false},
      {"8.9", "8.6", false},
      {"6.0", "6.1", true},
      {"5.0", "5.2", true},
      {"12.0", "12.1", true},
      {"10.0", "10.3", true},
      {"9.0", "10.0", false},
      {"10.0", "12.0", false},
      {"7.0", "7.5", true},
      {"7.5", "7.0", false},
      // These boards have chips that share a number with cards and run other code.
      {"8.0", "8.7", false},
      {"8.6", "8.7", false},
      {"8.7", "8.7", true},
      {"8.7", "8.9", false},
      {"5.0", "5.3", false},
      {"5.2", "5.3", false},
      {"5.3", "5.3", true},
      {"6.0", "6.2", false},
      {"6.1", "6.2", false},
      {"7.0", "7.2", false},
      {"7.2", "7.5", false},
      {"10.0", "10.1", false},
      {"10.1", "11.0", true},
      {"10.1", "10.3", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(cubin_runs_on(matrix, cc(c.built_for), cc(c.device)), c.runs)
        << c.built_for << " on " << c.device;
  }
}

TEST(CubinRunsOn, NeedsNoRowForTheGeneralRule) {
  const Matrix empty;
  EXPECT_TRUE(cubin_runs_on(empty, cc("14.0"), cc("14.2")));
  EXPECT_FALSE(cubin_runs_on(empty, cc("14.2"), cc("14.0")));
}

TEST(FindTorch, TakesAnyPatchOfARelease) {
  const Matrix matrix = built_in_matrix().matrix;
  const TorchRow* row = matrix.find_torch("2.11.0", "cu130", "pytorch");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->torch, "2.11");
  EXPECT_EQ(row->cudnn, "9.19.0.56");
  EXPECT_EQ(matrix.find_torch("2.11", "cu130", "pytorch"), row);
  EXPECT_EQ(matrix.find_torch("2.11.1+cu130", "cu130", "pytorch"), row);
}

TEST(FindTorch, KnowsNoNeighbours) {
  const Matrix matrix = built_in_matrix().matrix;
  const char* const unknown[][3] = {
      {"2.16.0", "cu130", "pytorch"}, {"3.0.0", "cpu", "pytorch"},     {"2.1", "cu130", "pytorch"},
      {"2.11.0", "cu118", "pytorch"}, {"2.11.0", "cu130", "somebody"}, {"2.11.0", "", "pytorch"},
      {"", "cu130", "pytorch"},       {"2.11.x", "cu130", "pytorch"},
  };
  for (const auto& [torch, variant, origin] : unknown) {
    EXPECT_EQ(matrix.find_torch(torch, variant, origin), nullptr) << torch << " " << variant;
  }
}

TEST(FindTorch, TellsWhoBuiltIt) {
  const Matrix matrix = built_in_matrix().matrix;
  EXPECT_EQ(matrix.find_torch("2.9.1", "rocm7.2.4", "pytorch"), nullptr);
  const TorchRow* row = matrix.find_torch("2.9.1", "rocm7.2.4", "amd");
  ASSERT_TRUE(row);
  EXPECT_EQ(std::count(row->gfx.begin(), row->gfx.end(), "gfx906"), 0);
}

TEST(FindToolkit, TakesAnyUpdateOfAMinor) {
  const Matrix matrix = built_in_matrix().matrix;
  ASSERT_TRUE(matrix.find_toolkit("13.0.2"));
  EXPECT_EQ(matrix.find_toolkit("13.0.2")->linux_driver.text(), "580.65.06");
  EXPECT_EQ(matrix.find_toolkit("12.7"), nullptr);
}

TEST(FindPrecision, CoversTheRangeBetweenItsEnds) {
  const Matrix matrix = built_in_matrix().matrix;
  const std::pair<const char*, const char*> cases[] = {
      {"5.2", "no"},   {"6.1", "no"},   {"7.2", "emulated"}, {"7.5", "emulated"}, {"8.0", "fast"},
      {"8.6", "fast"}, {"8.7", "fast"}, {"8.9", "fast"},     {"9.0", "fast"},     {"12.1", "fast"}};
  for (const auto& [device, bfloat16] : cases) {
    const PrecisionRow* row = matrix.find_precision(cc(device));
    ASSERT_TRUE(row) << device;
    EXPECT_EQ(row->bfloat16, bfloat16) << device;
    EXPECT_EQ(row->tf32, cc(device).major >= 8) << device;
  }
}

TEST(FindPrecision, KnowsNothingOfOtherCards) {
  const Matrix matrix = built_in_matrix().matrix;
  EXPECT_EQ(matrix.find_precision(cc("3.7")), nullptr);
  EXPECT_EQ(matrix.find_precision(cc("15.0")), nullptr);
}

TEST(FindModel, TakesAliases) {
  const Matrix matrix = built_in_matrix().matrix;
  ASSERT_TRUE(matrix.find_model("turbo"));
  EXPECT_EQ(matrix.find_model("turbo")->name, "large-v3-turbo");
  EXPECT_EQ(matrix.find_model("base.en")->name, "base");
  EXPECT_EQ(matrix.find_model("huge"), nullptr);
}

TEST(FindTested, IsExactToThePatch) {
  const Matrix matrix = built_in_matrix().matrix;
  ASSERT_TRUE(matrix.find_tested("2.2.0", "cu118", "8.7.0.84"));
  ASSERT_TRUE(matrix.find_tested("2.2.0+cu118", "cu118", "8.7.0"));
  EXPECT_EQ(matrix.find_tested("2.2.1", "cu118", "8.7.0.84"), nullptr);
  EXPECT_EQ(matrix.find_tested("2.2.0", "cu121", "8.7.0.84"), nullptr);
}

TEST(FindTested, IsNotTheSameWithAnotherCudnn) {
  const Matrix matrix = built_in_matrix().matrix;
  EXPECT_EQ(matrix.find_tested("2.2.0", "cu118", "9.1.0"), nullptr);
  EXPECT_EQ(matrix.find_tested("2.2.0", "cu118", ""), nullptr);
  EXPECT_TRUE(matrix.find_tested("2.8.0", "cpu", ""));
}

TEST(FindCard, NamesACardWithoutItsDriver) {
  const Matrix matrix = built_in_matrix().matrix;
  const CardRow* nvidia = matrix.find_card(0x10de, 0x2503);
  ASSERT_TRUE(nvidia);
  EXPECT_EQ(nvidia->name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(nvidia->compute_capability, cc("8.6"));
  const CardRow* amd = matrix.find_card(0x1002, 0x73df);
  ASSERT_TRUE(amd);
  EXPECT_EQ(amd->gfx, "gfx1031");
  EXPECT_EQ(matrix.find_card(0x8086, 0x2503), nullptr);
}

TEST(FindStatus, TellsTheLibrariesApart) {
  const Matrix matrix = built_in_matrix().matrix;
  ASSERT_TRUE(matrix.find_status("cuda", 100));
  EXPECT_EQ(matrix.find_status("cuda", 100)->name, "CUDA_ERROR_NO_DEVICE");
  EXPECT_EQ(matrix.find_status("hip", 100)->name, "hipErrorNoDevice");
  EXPECT_EQ(matrix.find_status("nvml", 100), nullptr);
}

}  // namespace
}  // namespace platform
