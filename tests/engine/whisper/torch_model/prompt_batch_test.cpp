#include "engine/whisper/torch_model/prompt_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace engine {
namespace {

using Numbers = std::vector<std::int64_t>;
using Groups = std::vector<std::vector<std::size_t>>;

constexpr int n_text_ctx = 448;

// Returns the numbers one after the other, and fails where they are not as many as the shape has.
Numbers numbers_of(const PromptBatch& batch, const StepShape& shape) {
  Numbers numbers = batch.numbers(shape);
  EXPECT_EQ(std::ssize(numbers), PromptBatch::count_numbers(shape));
  return numbers;
}

// Returns so many numbers from one on.
Numbers part(const Numbers& numbers, std::ptrdiff_t begin, std::ptrdiff_t count) {
  return {numbers.begin() + begin, numbers.begin() + begin + count};
}

TEST(PromptBatch, PadsToFewLengthsAndKnowsWhereEachPromptEnds) {
  const std::vector<int> a{11, 12}, b{21, 22, 23};
  PromptBatch batch(n_text_ctx);
  batch.add({nullptr, a, 0}, std::array{5}, 3);
  batch.add({nullptr, b, 1}, std::array{7}, 1);
  const StepShape shape = batch.shape({.rows = 2});
  EXPECT_EQ(
      shape,
      (StepShape{.kind = StepKind::prompts, .windows = 2, .length = 8, .choice = {.rows = 2}}));
  const Numbers numbers = numbers_of(batch, shape);
  EXPECT_EQ(part(numbers, 0, 8), (Numbers{11, 12, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(part(numbers, 8, 8), (Numbers{21, 22, 23, 0, 0, 0, 0, 0}));
  EXPECT_EQ(part(numbers, 16, 4), (Numbers{5, 7, 3, 1})) << "slots and windows";
  EXPECT_EQ(part(numbers, 20, 4), (Numbers{0, 9, 1, 10})) << "sots and last tokens";
}

TEST(PromptBatch, PlacesThatAreLeftOverRepeatTheFirstPrompt) {
  const std::vector<int> first{1, 2}, others{3, 4};
  PromptBatch batch(n_text_ctx);
  for (const int slot : {4, 5, 9}) {
    batch.add({nullptr, slot == 4 ? first : others, 0}, std::array{slot}, slot - 1);
  }
  const StepShape shape = batch.shape({.rows = 4});
  EXPECT_EQ(shape.windows, 4);
  const Numbers numbers = numbers_of(batch, shape);
  EXPECT_EQ(part(numbers, 24, 8), (Numbers{1, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(part(numbers, 32, 4), (Numbers{4, 5, 9, 4})) << "slots";
  EXPECT_EQ(part(numbers, 36, 4), (Numbers{3, 4, 8, 3})) << "windows";
  EXPECT_EQ(part(numbers, 40, 4), (Numbers{0, 8, 16, 0})) << "sots";
  EXPECT_EQ(part(numbers, 44, 4), (Numbers{1, 9, 17, 1})) << "last tokens";
}

TEST(PromptBatch, OtherRowsOfADecodeGetCopiesOfItsFirst) {
  const std::vector<int> tokens{1, 2};
  PromptBatch batch(n_text_ctx);
  batch.add({nullptr, tokens, 0}, std::array{4, 2, 6}, 0);
  batch.add({nullptr, tokens, 0}, std::array{3, 8}, 1);
  const StepShape shape = batch.shape({.rows = 8});
  EXPECT_EQ(shape.rows, 4);
  const Numbers numbers = numbers_of(batch, shape);
  EXPECT_EQ(part(numbers, 22, 8), (Numbers{1, 1, 1, 9, 9, 1, 1, 1})) << "last tokens, by row";
  EXPECT_EQ(part(numbers, 30, 4), (Numbers{4, 4, 3, 4})) << "from";
  EXPECT_EQ(part(numbers, 34, 4), (Numbers{2, 6, 8, 2})) << "to";
}

TEST(PromptBatch, NoShapeIsLongerThanTheContextOrHasMoreNumbersThanThereIsRoomFor) {
  const std::vector<int> tokens(300);
  PromptBatch batch(n_text_ctx);
  for (int i = 0; i < 3; ++i) batch.add({nullptr, tokens, 0}, std::array{2 * i, 2 * i + 1}, i);
  const StepShape shape = batch.shape({.rows = 8});
  EXPECT_EQ(shape.length, 448);
  EXPECT_LE(PromptBatch::count_numbers(shape), PromptBatch::most_numbers(4, 6, n_text_ctx));
}

TEST(PromptGroups, AreOfAboutOneLengthAndNotTooMany) {
  const std::vector<int> tokens(300);
  std::vector<Prompt> prompts;
  for (const std::size_t length : {3, 200, 4, 8, 9, 130, 3}) {
    prompts.push_back({nullptr, std::span(tokens).first(length), 0});
  }
  EXPECT_EQ(prompt_groups(prompts, 16), (Groups{{0, 2, 3, 6}, {4}, {1, 5}}));
  EXPECT_EQ(prompt_groups(prompts, 3), (Groups{{0, 2, 3}, {6}, {4}, {1, 5}}));
}

}  // namespace
}  // namespace engine
