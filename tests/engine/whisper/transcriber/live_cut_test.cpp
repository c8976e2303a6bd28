#include "engine/whisper/transcriber/live_cut.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

TEST(LiveCut, IsWhereItDoesLeastHarm) {
  struct Row {
    const char* name;
    LiveSpan buffer;
    const char* committed;  // from the buffer's begin on
    const char* unsure;
    double unsure_start;
    double cut;
  };
  const std::vector<Row> table{
      {"short", {100, 115}, "a b . c", "d", 114, 100},
      {"at the last sentence", {100, 115.1}, "a b . c d . e", "f", 114, 102},
      {"with the last word, where all is sure", {100, 115.1}, "a b c", "", 0, 101},
      {"with the last word and its sign", {100, 115.1}, "a b c .", "", 0, 101},
      {"one word at the begin", {100, 115.1}, "a", "", 0, 100},
      {"long silence", {100, 115.1}, "", "", 0, 100},
      {"longer silence", {100, 120.1}, "", "", 0, 110.1},
      {"no sentence", {100, 120}, "a b c", "d", 119, 100},
      {"no sentence for too long", {100, 121}, "a b c", "d", 119, 111},
      {"before a word that is unsure", {100, 121}, "a b c", "d", 110.5, 110.5},
      {"a word that seems endless", {100, 121}, "a b c", "d", 102, 105},
      {"nothing is sure", {100, 121}, "", "d e f", 101, 105},
      {"one word, and nothing for too long", {100, 121}, "a", "", 0, 111},
      {"a sentence at the begin, and nothing for too long", {100, 121}, "a .", "", 0, 111},
      {"a sentence at the begin, and too much behind it", {100, 121}, "a . b", "c", 119, 111},
      {"sure to the end",
       {100, 121},
       "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n",
       "d",
       120,
       119.5},
  };
  for (const Row& row : table) {
    EXPECT_NEAR(live_cut(row.buffer, heard_words(row.committed, row.buffer.begin),
                         heard_words(row.unsure, row.unsure_start)),
                row.cut, 1e-9)
        << row.name;
  }
}

TEST(LiveCut, ShortensALongBufferAlways) {
  for (const double start : {0.0, 4.0, 12.0, 20.0, 24.0}) {
    for (const char* committed : {"", "a b", "a b . c"}) {
      const double cut = live_cut({0, 25}, heard_words(committed), heard_words("x y", start));
      EXPECT_GE(cut, kept_s / 2) << start << committed;
      EXPECT_LE(cut, 25) << start << committed;
      EXPECT_GE(live_cut({0, 25}, heard_words(committed), {}), kept_s / 2) << committed;
    }
  }
}

}  // namespace
}  // namespace engine
