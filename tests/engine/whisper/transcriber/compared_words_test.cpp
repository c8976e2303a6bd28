#include "engine/whisper/transcriber/compared_words.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(ComparedWords, AreInLowerCaseAndWithoutSigns) {
  EXPECT_EQ(compared_words(" Don't  stop - NOW, Zoë!"),
            (std::vector<std::u32string>{U"dont", U"stop", U"now", U"zoë"}));
  EXPECT_TRUE(compared_words(" ... ").empty());
}

TEST(ComparedWords, AreLettersWhereTheScriptHasNoSpaces) {
  EXPECT_EQ(compared_words("你好 ok 世"),
            (std::vector<std::u32string>{U"你", U"好", U"ok", U"世"}));
  EXPECT_EQ(compared_words("ไป").size(), 2U);
}

TEST(ComparedWords, DifferByTheFewestChanges) {
  const auto count = [](const char* one, const char* other) {
    return different_words(compared_words(one), compared_words(other));
  };
  EXPECT_EQ(count("a b c", "a b c"), 0U);
  EXPECT_EQ(count("a b c", "a x c d"), 2U);
  EXPECT_EQ(count("a b c d", "b c d"), 1U);
  EXPECT_EQ(count("", "a b"), 2U);
  EXPECT_EQ(count("a b", ""), 2U);
}

}  // namespace
}  // namespace engine
