#include "engine/whisper/torch_model/kv_cache.h"

#include <gtest/gtest.h>

#include <array>

namespace engine {
namespace {

ModelDims dims() {
  ModelDims d;
  d.n_text_layer = 2;
  d.n_text_head = 1;
  d.n_text_state = 64;
  d.n_text_ctx = 8;
  return d;
}

// A position of one head whose every number is the row's mark.
at::Tensor marked(const std::vector<float>& marks) {
  return at::tensor(marks).view({-1, 1, 1, 1}).expand({-1, 1, 1, 64}).contiguous();
}

float mark_of(const at::Tensor& keys, int row, int position) {
  return keys[row][0][position][0].item<float>();
}

TEST(KvCache, ReturnsTheHistoryWithTheNewPositions) {
  KvCache cache(dims(), 1, at::kFloat);
  cache.append(0, marked({1}), marked({-1}));
  cache.append(1, marked({2}), marked({-2}));
  cache.advance(1);
  const auto [keys, values] = cache.append(1, marked({3}), marked({-3}));
  EXPECT_EQ(keys.sizes(), (std::vector<std::int64_t>{1, 1, 2, 64}));
  EXPECT_EQ(mark_of(keys, 0, 0), 2);
  EXPECT_EQ(mark_of(keys, 0, 1), 3);
  EXPECT_EQ(mark_of(values, 0, 1), -3);
}

TEST(KvCache, ThePromptOfTheFirstRowSpreadsToAll) {
  KvCache cache(dims(), 3, at::kFloat);
  cache.append(0, marked({5}), marked({5}));
  cache.advance(1);
  cache.spread_first_row();
  const auto [keys, values] = cache.append(0, marked({1, 2, 3}), marked({1, 2, 3}));
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(mark_of(keys, row, 0), 5);
    EXPECT_EQ(mark_of(values, row, 1), static_cast<float>(row + 1));
  }
}

TEST(KvCache, RowsContinueTheHistoryOfTheirSources) {
  KvCache cache(dims(), 3, at::kFloat);
  cache.append(0, marked({1, 2, 3}), marked({1, 2, 3}));
  cache.advance(1);
  cache.reorder(std::array{2, 2, 0});
  auto keys = cache.append(0, marked({7, 8, 9}), marked({7, 8, 9})).first;
  EXPECT_EQ(mark_of(keys, 0, 0), 3);
  EXPECT_EQ(mark_of(keys, 1, 0), 3);
  EXPECT_EQ(mark_of(keys, 2, 0), 1);
  cache.advance(1);
  cache.reorder(std::array{1, 0, 2});
  keys = cache.append(0, marked({0, 0, 0}), marked({0, 0, 0})).first;
  EXPECT_EQ(mark_of(keys, 0, 1), 8);
  EXPECT_EQ(mark_of(keys, 1, 1), 7);
}

}  // namespace
}  // namespace engine
