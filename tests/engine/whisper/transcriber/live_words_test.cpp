#include "engine/whisper/transcriber/live_words.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

TEST(AgreedWords, AreTheCommonBeginning) {
  struct Row {
    const char* before;
    const char* now;
    std::size_t agreed;
  };
  for (const Row& row : {Row{"", "", 0}, Row{"a", "", 0}, Row{"", "a", 0}, Row{"a b", "a b", 2},
                         Row{"a b c", "a b d e", 2}, Row{"a b", "a b c", 2}, Row{"x a", "a", 0},
                         Row{"a.", "a", 0}, Row{"A", "a", 0}, Row{"a.", "a b", 1},
                         Row{"a", "A, b", 1}, Row{"a b.", "a, b", 1}, Row{"a b", "c b", 0}}) {
    EXPECT_EQ(agreed_words(heard_words(row.before), heard_words(row.now)), row.agreed)
        << row.before << " / " << row.now;
  }
}

TEST(FirstNewWord, IsBehindWhatWasCommitted) {
  struct Row {
    const char* name;
    const char* committed;  // ends at 10 s
    const char* heard;
    double start;  // of what was heard
    std::size_t first;
  };
  const std::vector<Row> table{
      {"nothing is committed", "", "a b", 9.95, 0},
      {"only new words", "a b", "c d", 10, 0},
      {"all is heard again", "a b c", "a b c d", 8.5, 3},
      {"the end is heard again", "x y a b", "a b c", 9, 2},
      {"with other signs", "one, two", "One two three", 9, 2},
      {"later than before", "a b c", "a b c d", 9.2, 3},
      {"earlier than before", "a b c", "a b c d", 8.0, 3},
      {"the nearer of two places", "la la", "la la la la la", 8, 4},
      {"a word said twice", "very", "very very", 9.5, 1},
      {"a word of that sound much later", "the", "quick the fox", 10.4, 0},
      {"other words, by their times", "a b c", "x y z", 9.0, 2},
      {"far more compared than there are", "a", "a", 9.5, 1},
  };
  for (const Row& row : table) {
    const auto count = heard_words(row.committed).size();
    const auto committed = heard_words(row.committed, 10 - 0.5 * static_cast<double>(count));
    EXPECT_EQ(first_new_word(committed, 10, heard_words(row.heard, row.start)), row.first)
        << row.name;
  }
}

TEST(LiveWords, CommitWhatTwoPassesAgreeOn) {
  LiveWords words;
  EXPECT_EQ(words.hear(heard_words("so it was")), 0u);
  EXPECT_EQ(words.hear(heard_words("so it is so")), 2u);
  EXPECT_EQ(text_of(words.committed()), " so it");
  EXPECT_EQ(text_of(words.unsure()), " is so");
  EXPECT_EQ(words.hear(heard_words("so it is so today")), 2u);
  EXPECT_EQ(text_of(words.committed()), " so it is so");
  EXPECT_DOUBLE_EQ(words.committed_end(), 2);
}

TEST(LiveWords, NeverTakeBackWhatIsCommitted) {
  LiveWords words;
  words.hear(heard_words("so it is"));
  words.hear(heard_words("so it is"));
  EXPECT_EQ(words.hear(heard_words("nobody said that now")), 0u);
  EXPECT_EQ(text_of(words.committed()), " so it is");
  EXPECT_EQ(text_of(words.unsure()), " now");
  EXPECT_EQ(words.hear({}), 0u);
  EXPECT_EQ(text_of(words.committed()), " so it is");
}

TEST(LiveWords, NeedTwoPassesInARow) {
  LiveWords words;
  words.hear(heard_words("a b"));
  words.hear({});
  EXPECT_EQ(words.hear(heard_words("a b")), 0u);
  EXPECT_EQ(words.hear(heard_words("a b")), 2u);
}

TEST(LiveWords, AreCommittedWithoutAgreementUpToATime) {
  LiveWords words;
  words.hear(heard_words("a b c d"));
  EXPECT_EQ(words.commit_until(1.2), 2u);
  EXPECT_EQ(text_of(words.committed()), " a b");
  EXPECT_EQ(text_of(words.unsure()), " c d");
  EXPECT_EQ(words.commit_until(100), 2u);
  EXPECT_TRUE(words.unsure().empty());
}

TEST(LiveWords, AreKnownAgainAfterTheBufferHasLeftThem) {
  LiveWords words;
  words.hear(heard_words("a b c"));
  words.hear(heard_words("a b c"));
  EXPECT_EQ(text_of(words.leave_behind(1)), " a b");
  EXPECT_EQ(text_of(words.committed()), " c");
  EXPECT_EQ(text_of(words.leave_behind(1.5)), " c");
  // The end of the last word is still in the sound.
  words.hear(heard_words("c d e", 1.1));
  EXPECT_EQ(text_of(words.unsure()), " d e");
}

}  // namespace
}  // namespace engine
