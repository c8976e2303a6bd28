#include "engine/whisper/torch_model/step_batch.h"

#include <gtest/gtest.h>

#include <array>

namespace engine {
namespace {

constexpr StepLimits large_stores{64, 64, 448};

using Numbers = std::vector<std::int64_t>;

StepShape shape_of(int rows, int windows, int rows_per_window, int length) {
  return {.rows = rows, .windows = windows, .rows_per_window = rows_per_window, .length = length};
}

// Returns the numbers of one part, in the order of StepBatch.
Numbers part(const StepBatch& batch, int which) {
  const StepShape& s = batch.shape;
  const auto end_of_first = batch.numbers.begin() + s.windows * s.rows_per_window;
  if (which == 0) return {batch.numbers.begin(), end_of_first};
  return {end_of_first, end_of_first + s.rows};
}

TEST(StepBatch, RowsHaveThePlacesOfTheirSlots) {
  const std::array rows{StepRow{2, 0, 9}, StepRow{0, 0, 5}};
  const StepBatch batch = batch_of(rows, large_stores);
  EXPECT_EQ(batch.shape, shape_of(4, 1, 2, 64));
  EXPECT_EQ(part(batch, 0), (Numbers{2, 0}));
  EXPECT_EQ(part(batch, 1), (Numbers{1, 0, 0, 0}));
}

TEST(StepBatch, QueriesOfAWindowComeTogether) {
  const std::array rows{StepRow{0, 2, 4}, StepRow{1, 0, 4}, StepRow{2, 2, 4}};
  const StepBatch batch = batch_of(rows, large_stores);
  EXPECT_EQ(batch.shape, shape_of(4, 4, 2, 64));
  EXPECT_EQ(part(batch, 0), (Numbers{1, 0, 0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(part(batch, 1), (Numbers{4, 0, 5, 0}));
}

TEST(StepBatch, LengthsAreRoundedUpToFewOnes) {
  const auto length = [](int position) {
    return batch_of(std::array{StepRow{0, 0, position}}, large_stores).shape.length;
  };
  EXPECT_EQ(length(3), 64);
  EXPECT_EQ(length(63), 64);
  EXPECT_EQ(length(64), 128);
  EXPECT_EQ(length(200), 256);
  EXPECT_EQ(length(256), 448);
  EXPECT_EQ(length(447), 448);
}

TEST(StepBatch, FusedKernelsGetTheRowsThatTakePart) {
  const std::array rows{StepRow{5, 2, 70}, StepRow{1, 0, 4}, StepRow{3, 2, 9}};
  const StepBatch batch = fused_batch_of(rows, large_stores);
  EXPECT_TRUE(is_fused(batch.shape));
  EXPECT_EQ(batch.shape, shape_of(4, 0, 0, 128));
  EXPECT_EQ(batch.numbers, (Numbers{5, 1, 3, 5, 2, 0, 2, 2}));
  EXPECT_FALSE(is_fused(batch_of(rows, large_stores).shape));
}

TEST(StepBatch, NoShapeIsLargerThanTheStores) {
  const std::array rows{StepRow{4, 2, 9}, StepRow{5, 1, 9}};
  const StepLimits limits{6, 3, 50};
  const StepBatch batch = batch_of(rows, limits);
  EXPECT_EQ(batch.shape, shape_of(6, 3, 1, 50));
  EXPECT_LE(count_numbers(batch.shape), most_numbers(limits));
  EXPECT_LE(count_numbers(fused_batch_of(rows, limits).shape), most_numbers(limits));
}

}  // namespace
}  // namespace engine
