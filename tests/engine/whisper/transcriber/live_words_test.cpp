#include "engine/whisper/transcriber/live_words.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

TEST(LiveWords, AreUnsureUntilTheyAreCommitted) {
  LiveWords words;
  words.hear(heard_words("so it was"));
  words.hear(heard_words("so it is so"));
  EXPECT_EQ(text_of(words.before()), " so it was");
  EXPECT_EQ(text_of(words.commit(2)), " so it");
  EXPECT_EQ(text_of(words.committed()), " so it");
  EXPECT_EQ(text_of(words.unsure()), " is so");
  EXPECT_EQ(text_of(words.before()), " was");
  EXPECT_DOUBLE_EQ(words.committed_end(), 1);
}

TEST(LiveWords, OfThePassBeforeAreCountedWithoutSigns) {
  LiveWords words;
  words.hear(heard_words("a b . c"));
  words.hear(heard_words("a . b c"));
  words.commit(3);
  EXPECT_EQ(text_of(words.before()), ". c");
}

TEST(LiveWords, AreReachedByThoseThatEndWithThem) {
  LiveWords words;
  words.hear(heard_words("a b c d"));  // half a second each
  words.commit(4);
  EXPECT_TRUE(words.is_reached_by(heard_words("e f g h"), 0));
  EXPECT_TRUE(words.is_reached_by(heard_words("e f g"), 0.5));
  EXPECT_FALSE(words.is_reached_by(heard_words("e f"), 0.5));
  EXPECT_FALSE(words.is_reached_by({}, 9));
}

TEST(LiveWords, OfAnotherTurnFollowThoseBeforeItWithoutTheirLastSign) {
  LiveWords words;
  words.hear(heard_words("a . b ."));
  words.commit(4);
  words.hear(heard_words("c"));
  words.begin_turn(3);
  EXPECT_EQ(text_of(words.committed()), " a. b");
  EXPECT_TRUE(words.unsure().empty());
  EXPECT_TRUE(words.before().empty());
  words.hear(heard_words("c", 2.8));
  EXPECT_DOUBLE_EQ(words.commit(1).front().word.start, 3);
}

TEST(LiveWords, AreNoMoreThanThereAre) {
  LiveWords words;
  EXPECT_TRUE(words.commit(3).empty());
  words.hear(heard_words("a"));
  EXPECT_EQ(words.commit(3).size(), 1u);
}

TEST(LiveWords, HaveTimesThatDoNotGoBack) {
  LiveWords words;
  words.hear(heard_words("a b", 10));
  words.commit(2);
  words.hear(heard_words("c d", 10.2));
  const auto later = words.commit(2);
  EXPECT_DOUBLE_EQ(later[0].word.start, 11);
  EXPECT_DOUBLE_EQ(later[0].word.end, 11);
  EXPECT_DOUBLE_EQ(later[1].word.start, 11);
  EXPECT_DOUBLE_EQ(later[1].word.end, 11.2);
}

TEST(LiveWords, OfATurnAreHeardAnewBehindThoseOfEarlierTurns) {
  LiveWords words;
  words.hear(heard_words("a b"));
  words.commit(2);
  words.begin_turn(1);
  words.hear(heard_words("c d e", 1));
  words.commit(2);
  EXPECT_EQ(words.earlier(), 2u);
  const auto revised = words.revise(heard_words("x y", 0.8), words.turn_begin(), 0);
  EXPECT_EQ(text_of(words.committed()), " a b x y");
  EXPECT_TRUE(words.unsure().empty());
  EXPECT_DOUBLE_EQ(revised.front().word.start, 1) << "where the turn begins";
  EXPECT_DOUBLE_EQ(words.committed_end(), 1.8);
  words.leave_behind(0.5);
  EXPECT_EQ(words.earlier(), 1u);
}

TEST(LiveWords, OfATurnThatIsHeardAnewDoNotBeginWithTheSignOfTheOneBefore) {
  LiveWords words;
  words.hear(heard_words("a ."));
  words.commit(2);
  words.begin_turn(1);
  EXPECT_EQ(text_of(words.revise(heard_words(". x . y", 1), words.turn_begin(), 0)), " x. y");
  EXPECT_EQ(text_of(words.revise(heard_words(". y", 2), 1.5, 0)), ". y");
}

TEST(LiveWords, ThatAreHeardAnewAreLeftBehindWhereTheOldOnesWere) {
  LiveWords words;
  words.begin_turn(0);
  words.hear(heard_words("a b c"));
  words.commit(3);
  words.leave_behind(0.5);
  EXPECT_EQ(text_of(words.revise(heard_words("x b c"), words.turn_begin(), 0.5)), " x b c");
  EXPECT_EQ(text_of(words.committed()), " b c");
}

TEST(LiveWords, AreLeftBehindWhereTheyHaveEnded) {
  LiveWords words;
  words.hear(heard_words("a b c d"));
  words.commit(3);
  EXPECT_EQ(words.ended_by(1.9), 0u);
  EXPECT_EQ(words.ended_by(2), 1u);
  EXPECT_DOUBLE_EQ(words.left_end(), 0);
  EXPECT_EQ(text_of(words.leave_behind(1.2)), " a b");
  EXPECT_DOUBLE_EQ(words.left_end(), 1);
  EXPECT_EQ(text_of(words.committed()), " c");
  EXPECT_TRUE(words.leave_behind(1.2).empty());
  EXPECT_DOUBLE_EQ(words.left_end(), 1);
}

}  // namespace
}  // namespace engine
