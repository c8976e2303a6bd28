#include "engine/whisper/torch_model/prompt_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace engine {
namespace {

using Numbers = std::vector<std::int64_t>;
using Groups = std::vector<std::vector<std::size_t>>;

TEST(PromptBatch, PadsToTheLongestAndKnowsWhereEachEnds) {
  const std::vector<int> a{11, 12}, b{21, 22, 23};
  PromptBatch batch;
  batch.add({nullptr, a, 0}, 5, 0);
  batch.add({nullptr, b, 1}, 7, 1);
  EXPECT_EQ(batch.length(), 3);
  EXPECT_EQ(batch.numbers(),
            (Numbers{11, 12, 0, 21, 22, 23, /*rows*/ 5, 7, /*wanted*/ 0, 1, 4, 5}));
}

TEST(PromptBatch, WindowsBesideEachOtherAreOneRun) {
  const std::vector<int> tokens{1};
  PromptBatch batch;
  for (const int window : {2, 3, 4, 4, 9}) batch.add({nullptr, tokens, 0}, 0, window);
  std::vector<std::array<int, 3>> runs;
  for (const auto& run : batch.runs()) {
    runs.push_back({run.first_prompt, run.first_window, run.count});
  }
  EXPECT_EQ(runs, (std::vector<std::array<int, 3>>{{0, 2, 3}, {3, 4, 1}, {4, 9, 1}}));
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
