#include "engine/whisper/transcriber/prompt_history.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using Ids = std::vector<int>;

TEST(PromptHistory, StartsWithTheInitialPrompt) {
  PromptHistory history({}, {1, 2}, /*carry=*/false, 5);
  EXPECT_EQ(history.prompt(), (Ids{1, 2}));
  history.add({3});
  EXPECT_EQ(history.prompt(), (Ids{1, 2, 3}));
}

TEST(PromptHistory, KeepsTheLatestTokens) {
  PromptHistory history({}, {1, 2}, false, 3);
  history.add({3, 4});
  EXPECT_EQ(history.prompt(), (Ids{2, 3, 4}));
}

TEST(PromptHistory, ForgetsEverythingButWhatIsCarried) {
  PromptHistory plain({}, {1}, false, 5);
  plain.add({2});
  plain.reset();
  EXPECT_EQ(plain.prompt(), Ids{});
  PromptHistory carried({}, {1}, true, 5);
  carried.add({2});
  carried.reset();
  EXPECT_EQ(carried.prompt(), Ids{1});
}

TEST(PromptHistory, HotwordsAndCarriedPromptLeaveTheRestToTheHistory) {
  PromptHistory history({9, 9}, {1}, true, 5);
  history.add({2, 3, 4, 5});
  EXPECT_EQ(history.prompt(), (Ids{9, 9, 1, 4, 5}));
}

TEST(PromptHistory, OfALongCarriedPromptTheEndIsKept) {
  PromptHistory history({9}, {1, 2, 3, 4}, true, 3);
  history.add({5});
  EXPECT_EQ(history.prompt(), (Ids{2, 3, 4}));
}

TEST(PromptHistory, LongHotwordsAreCut) {
  PromptHistory history({1, 2, 3, 4, 5, 6, 7}, {}, false, 5);
  history.add({8});
  EXPECT_EQ(history.prompt(), (Ids{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace engine
