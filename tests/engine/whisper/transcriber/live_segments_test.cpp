#include "engine/whisper/transcriber/live_segments.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/heard_words.h"

namespace engine {
namespace {

std::vector<std::string> segments_of(const std::string& text) {
  LiveSegments segments;
  std::vector<std::string> found;
  const auto keep = [&](const std::vector<AlignedWord>& words) {
    if (words.empty()) return;
    std::string segment;
    for (const AlignedWord& word : words) segment += word.word;
    found.push_back(segment);
  };
  for (const HeardWord& heard : heard_words(text)) keep(segments.add(heard.word));
  keep(segments.take());
  return found;
}

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(LiveSegments, EndWithASentenceOnceTheyAreLong) {
  EXPECT_EQ(segments_of("Mr. A says. b"), (std::vector<std::string>{" Mr. A says. b"}));
  const auto found = segments_of(repeat("a ", 9) + "b . c");
  EXPECT_EQ(found, (std::vector<std::string>{repeat(" a", 9) + " b.", " c"}));
}

TEST(LiveSegments, AreFifteenSecondsLongAtMost) {
  const auto found = segments_of(repeat("a ", 70));
  EXPECT_EQ(found,
            (std::vector<std::string>{repeat(" a", 30), repeat(" a", 30), repeat(" a", 10)}));
}

TEST(LiveSegments, TellWhatIsSaidOfTheNextOne) {
  LiveSegments segments;
  for (const HeardWord& heard : heard_words("c d")) segments.add(heard.word);
  EXPECT_EQ(segments.text(), " c d");
  segments.take();
  EXPECT_EQ(segments.text(), "");
}

TEST(EndsSentence, LooksThroughQuotesAndBrackets) {
  for (const char* word : {" end.", " what?", " no!\"", " (so.)", "吗？", "。」", " जाता।"}) {
    EXPECT_TRUE(ends_sentence(word)) << word;
  }
  for (const char* word : {" end", " a,", "\"", "", " 3.5", " then:"}) {
    EXPECT_FALSE(ends_sentence(word)) << word;
  }
}

}  // namespace
}  // namespace engine
