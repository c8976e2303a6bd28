#include "protocol/deepgram/words.h"

#include <gtest/gtest.h>

namespace protocol::deepgram {
namespace {

TEST(BareWord, HasNeitherCaseNorSigns) {
  struct Row {
    const char* word;
    const char* bare;
  };
  for (const Row& row :
       {Row{" Hello,", "hello"}, Row{" don't", "don't"}, Row{" \"Well-known\"", "well-known"},
        Row{" “Ja!”", "ja"}, Row{" 3.5", "3.5"}, Row{" 你好。", "你好"}, Row{" …", "…"},
        Row{"", ""}, Row{" $5", "$5"}}) {
    EXPECT_EQ(bare_word(row.word), row.bare) << row.word;
  }
}

TEST(Confidence, IsTheMeanOfTheWords) {
  const std::vector<Word> words{{.probability = 0.5}, {.probability = 1}};
  EXPECT_DOUBLE_EQ(confidence_of(words), 0.75);
  EXPECT_EQ(confidence_of(std::span<const Word>()), 0);
}

}  // namespace
}  // namespace protocol::deepgram
