#include "engine/kernels/top_logits/candidates.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

bool runs_here() {
  const auto isas = isas_of_this_cpu();
  return !isas.empty() && isas.back() >= Isa::avx512;
}

class Candidates : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!runs_here()) GTEST_SKIP() << "needs AVX-512";
  }
};

// The largest is once in each place, and what lies behind the end is larger.
TEST_P(Candidates, TheLargestIsFoundInEveryPlace) {
  for (std::size_t place = 0; place < GetParam(); ++place) {
    std::vector<float> numbers(GetParam() + 16, -3.0F);
    numbers[place] = -1.0F;
    numbers[GetParam()] = 5.0F;
    EXPECT_EQ(largest_avx512({numbers.data(), GetParam()}), -1.0F) << place;
  }
}

TEST_P(Candidates, AllThatReachTheBoundAreAppendedInOrder) {
  std::vector<float> numbers(GetParam() + 16, 9.0F);
  std::vector<int> expected{-1};
  for (std::size_t i = 0; i < GetParam(); ++i) {
    numbers[i] = i % 3 == 0 ? 2.0F : 1.9F;
    if (i % 3 == 0) expected.push_back(100 + static_cast<int>(i));
  }
  std::vector<int> found{-1};
  find_at_least_avx512({numbers.data(), GetParam()}, 2.0F, 100, found);
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Candidates, testing::Values(1, 15, 16, 17, 33, 64));

TEST(NoCandidates, AreFoundAmongNone) {
  if (!runs_here()) GTEST_SKIP() << "needs AVX-512";
  EXPECT_EQ(largest_avx512({}), -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace engine::kernels
