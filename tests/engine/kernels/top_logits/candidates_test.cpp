#include "engine/kernels/top_logits/candidates.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "engine/kernels/kernels.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

// Returns the kernels of this CPU that look for candidates; some instruction sets have none.
std::vector<Kernels> kernels_of_this_cpu() {
  std::vector<Kernels> all;
  for (const Isa isa : isas_of_this_cpu()) {
    if (kernels_for(isa).largest != nullptr) all.push_back(kernels_for(isa));
  }
  return all;
}

class Candidates : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (kernels_.empty()) GTEST_SKIP() << "needs AVX2 or dot products";
  }
  const std::vector<Kernels> kernels_ = kernels_of_this_cpu();
};

// The largest is once in each place, and what lies behind the end is larger.
TEST_P(Candidates, TheLargestIsFoundInEveryPlace) {
  for (std::size_t place = 0; place < GetParam(); ++place) {
    std::vector<float> numbers(GetParam() + 16, -3.0F);
    numbers[place] = -1.0F;
    numbers[GetParam()] = 5.0F;
    for (const Kernels& kernels : kernels_) {
      EXPECT_EQ(kernels.largest({numbers.data(), GetParam()}), -1.0F) << place;
    }
  }
}

TEST_P(Candidates, AllThatReachTheBoundAreAppendedInOrder) {
  std::vector<float> numbers(GetParam() + 16, 9.0F);
  std::vector<int> expected{-1};
  for (std::size_t i = 0; i < GetParam(); ++i) {
    numbers[i] = i % 3 == 0 ? 2.0F : 1.9F;
    if (i % 3 == 0) expected.push_back(100 + static_cast<int>(i));
  }
  for (const Kernels& kernels : kernels_) {
    std::vector<int> found{-1};
    kernels.find_at_least({numbers.data(), GetParam()}, 2.0F, 100, found);
    EXPECT_EQ(found, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Candidates, testing::Values(1, 15, 16, 17, 33, 64));

TEST(NoCandidates, AreFoundAmongNone) {
  const std::vector<Kernels> all = kernels_of_this_cpu();
  if (all.empty()) GTEST_SKIP() << "needs AVX2 or dot products";
  for (const Kernels& kernels : all) {
    EXPECT_EQ(kernels.largest({}), -std::numeric_limits<float>::infinity());
  }
}

}  // namespace
}  // namespace engine::kernels
