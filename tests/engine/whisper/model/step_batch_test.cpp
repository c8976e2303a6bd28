#include "engine/whisper/model/step_batch.h"

#include <gtest/gtest.h>

#include <array>

namespace engine {
namespace {

constexpr StepLimits large_stores{64, 64, 448};

using Numbers = std::vector<std::int64_t>;

// Returns the numbers of one part, in the order of StepBatch.
Numbers part(const StepBatch& batch, int which) {
  const StepShape& s = batch.shape;
  const std::array<std::ptrdiff_t, 4> sizes{s.rows, s.rows, s.windows * s.rows_per_window, s.rows};
  std::ptrdiff_t begin = 0;
  for (int i = 0; i < which; ++i) begin += sizes[static_cast<std::size_t>(i)];
  const auto first = batch.numbers.begin() + begin;
  return {first, first + sizes[static_cast<std::size_t>(which)]};
}

TEST(StepBatch, RowsHaveThePlacesOfTheirSlots) {
  const std::array rows{StepRow{2, 0, 9, 100}, StepRow{0, 0, 5, 200}};
  const std::array lengths{5, 3, 9};
  const StepBatch batch = batch_of(rows, lengths, large_stores);
  EXPECT_EQ(batch.shape, (StepShape{4, 1, 2, 64}));
  EXPECT_EQ(part(batch, 0), (Numbers{200, 0, 100, 0}));
  // Slot 1 takes no part: what is written for it lies behind its three positions.
  EXPECT_EQ(part(batch, 1), (Numbers{5, 3, 9, 0}));
}

TEST(StepBatch, QueriesOfAWindowComeTogether) {
  const std::array rows{StepRow{0, 2, 4, 1}, StepRow{1, 0, 4, 2}, StepRow{2, 2, 4, 3}};
  const StepBatch batch = batch_of(rows, std::array{4, 4, 4}, large_stores);
  EXPECT_EQ(batch.shape, (StepShape{4, 4, 2, 64}));
  EXPECT_EQ(part(batch, 2), (Numbers{1, 0, 0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(part(batch, 3), (Numbers{4, 0, 5, 0}));
}

TEST(StepBatch, LengthsAreRoundedUpToFewOnes) {
  const auto length = [](int position) {
    return batch_of(std::array{StepRow{0, 0, position, 1}}, std::array{position}, large_stores)
        .shape.length;
  };
  EXPECT_EQ(length(3), 64);
  EXPECT_EQ(length(63), 64);
  EXPECT_EQ(length(64), 128);
  EXPECT_EQ(length(200), 256);
  EXPECT_EQ(length(256), 448);
  EXPECT_EQ(length(447), 448);
}

TEST(StepBatch, NoShapeIsLargerThanTheStores) {
  const std::array rows{StepRow{4, 2, 9, 100}, StepRow{5, 1, 9, 100}};
  const StepLimits limits{6, 3, 50};
  const StepBatch batch = batch_of(rows, std::array{0, 0, 0, 0, 9, 9}, limits);
  EXPECT_EQ(batch.shape, (StepShape{6, 3, 1, 50}));
  EXPECT_LE(count_numbers(batch.shape), most_numbers(limits));
}

TEST(StepBatch, ARowThatIsFullWritesWithinTheCache) {
  const std::array rows{StepRow{1, 0, 2, 1}};
  EXPECT_EQ(part(batch_of(rows, std::array{448, 2}, large_stores), 1), (Numbers{447, 2}));
}

}  // namespace
}  // namespace engine
