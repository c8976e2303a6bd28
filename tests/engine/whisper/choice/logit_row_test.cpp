#include "engine/whisper/choice/logit_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace engine {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
// Sizes of rows: a few numbers, whole vectors, and what is left behind them.
constexpr int sizes[] = {1, 7, 31, 32, 33, 1501, 51865};

std::vector<float> random_row(int size) {
  std::minstd_rand generator(static_cast<unsigned>(size));
  std::normal_distribution<float> number(0, 8);
  std::vector<float> row(static_cast<std::size_t>(size));
  for (float& logit : row) logit = number(generator);
  return row;
}

TEST(LogitRow, IsFiniteUnlessOneNumberIsNot) {
  for (const int size : sizes) {
    auto row = random_row(size);
    EXPECT_TRUE(are_finite(row));
    for (const std::size_t place : {std::size_t{0}, row.size() / 2, row.size() - 1}) {
      for (const float bad : {infinity, -infinity, std::nanf("")}) {
        auto changed = row;
        changed[place] = bad;
        EXPECT_FALSE(are_finite(changed)) << bad << " at " << place << " of " << size;
      }
    }
  }
  EXPECT_TRUE(are_finite(std::vector<float>(51865, std::numeric_limits<float>::max())));
}

TEST(LogitRow, TellsItsLargestWhereverItIs) {
  for (const int size : sizes) {
    for (const int place : {0, size / 2, size - 1}) {
      auto row = random_row(size);
      row[static_cast<std::size_t>(place)] = 100;
      EXPECT_EQ(largest(row), 100) << place << " of " << size;
      EXPECT_EQ(likeliest(row), place) << "of " << size;
    }
  }
  EXPECT_EQ(largest({}), -infinity);
  EXPECT_EQ(largest(std::vector<float>(40, -infinity)), -infinity);
}

TEST(LogitRow, OfEqualTokensTheFirstIsTheLikeliest) {
  std::vector<float> row(3000);
  row[700] = row[2900] = 5;
  EXPECT_EQ(likeliest(row), 700);
  EXPECT_EQ(likeliest(row, 4), (std::vector<int>{700, 2900, 0, 1}));
}

TEST(LogitRow, ListsItsLikeliestTokensInTheirOrder) {
  for (const int size : sizes) {
    const auto row = random_row(size);
    const auto found = likeliest(row, 6);
    ASSERT_EQ(std::ssize(found), std::min(size, 6));
    std::vector<float> sorted = row;
    std::ranges::sort(sorted, std::greater{});
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(row[static_cast<std::size_t>(found[i])], sorted[i]) << i << " of " << size;
    }
  }
}

TEST(LogitRow, ItsLogSoftmaxIsThatOfItsDefinition) {
  for (const int size : sizes) {
    auto row = random_row(size);
    if (size > 2) row[1] = -infinity;
    double sum = 0;
    for (const float logit : row) sum += std::exp(double{logit});
    const LogSoftmax found = log_softmax(row);
    EXPECT_NEAR(found.log_sum_exp(), std::log(sum), 4e-6);
    for (const float logit : row) {
      if (logit == -infinity) {
        EXPECT_EQ(found(logit), -infinity);
      } else {
        ASSERT_NEAR(found(logit), logit - std::log(sum), 8e-6) << "of " << size;
      }
    }
  }
}

// Numbers far below the largest, and large ones, whose differences are what counts.
TEST(LogitRow, ItsLogSoftmaxHoldsForAnySize) {
  EXPECT_NEAR(log_softmax(std::vector<float>{1000, 1000})(1000), -std::log(2), 1e-6);
  EXPECT_NEAR(log_softmax(std::vector<float>{-1000, -1090})(-1000), 0, 1e-6);
  EXPECT_NEAR(log_softmax(std::vector<float>(51865, 3))(3), -std::log(51865.0), 2e-6);
}

TEST(LogitRow, OfForbiddenTokensAloneIsForbidden) {
  EXPECT_EQ(log_softmax(std::vector<float>(100, -infinity)).log_sum_exp(), -infinity);
}

}  // namespace
}  // namespace engine
