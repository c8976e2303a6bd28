#include "engine/kernels/most_similar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace engine::kernels {
namespace {

constexpr std::size_t size = 3 * similar_width;

std::vector<float> rows(std::size_t count) {
  std::vector<float> x(count * size);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(0.37F * static_cast<float>(i * i % 97));
  return x;
}

TEST(MostSimilar, IsTheOneWithTheLargestProduct) {
  const std::vector<float> x = rows(20);
  const std::vector<std::size_t> candidates{1, 2, 3, 5, 8, 13, 19};
  const Similarity similarity = fastest_similarity();
  for (const std::size_t to : candidates) {
    const auto product = [&](std::size_t row) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += double{x[row * size + i]} * x[to * size + i];
      return sum;
    };
    const MostSimilar found = similarity.most_similar(x.data(), size, candidates, to);
    EXPECT_NE(found.row, to);
    EXPECT_NEAR(found.product, product(found.row), 1e-4);
    for (const std::size_t row : candidates) {
      EXPECT_TRUE(row == to || product(row) <= product(found.row) + 1e-4);
    }
    EXPECT_EQ(found.product, similarity.product(&x[to * size], &x[found.row * size], size));
  }
}

TEST(MostSimilar, OfEqualOnesIsTheFirst) {
  const std::vector<float> x(5 * size, 1.0F);
  const std::vector<std::size_t> candidates{0, 2, 3, 4};
  const Similarity similarity = fastest_similarity();
  EXPECT_EQ(similarity.most_similar(x.data(), size, candidates, 3).row, 0U);
  EXPECT_EQ(similarity.most_similar(x.data(), size, candidates, 0).row, 2U);
}

TEST(MostSimilar, OfOneRowIsItself) {
  const std::vector<float> x(size, 1.0F);
  const std::vector<std::size_t> candidates{0};
  EXPECT_EQ(fastest_similarity().most_similar(x.data(), size, candidates, 0).row, 0U);
}

}  // namespace
}  // namespace engine::kernels
