#include "protocol/word_speakers.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace protocol {
namespace {

using Times = std::vector<std::pair<double, double>>;

Segment words_at(const Times& times, std::optional<int> channel = {}) {
  Segment segment{.start = times.front().first, .end = times.back().second, .channel = channel};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string word = " w" + std::to_string(i);
    segment.words.push_back({times[i].first, times[i].second, word, 1});
    segment.text += word;
  }
  return segment;
}

// Returns the parts as "A: w0 w1 | B: w2".
std::string shown(const std::vector<Segment>& parts) {
  std::string text;
  for (const auto& part : parts) {
    text += (text.empty() ? "" : " | ") + part.speaker + ":" + part.text;
  }
  return text;
}

std::string named(const std::vector<SpeakerTurn>& turns, const Times& times) {
  return shown(name_speakers(std::vector{words_at(times)}, turns));
}

TEST(WordSpeakers, CutASegmentWhereAnotherOneSpeaks) {
  const std::vector<SpeakerTurn> turns{{0, 1.05, "A"}, {1.05, 5, "B"}};
  const std::vector segments{words_at({{0, 0.5}, {0.5, 1}, {1, 1.5}, {2, 3}}), words_at({{3, 4}})};
  const auto parts = name_speakers(segments, turns);
  EXPECT_EQ(shown(parts), "A: w0 w1 | B: w2 w3 | B: w0");
  EXPECT_EQ(parts[0].end, 1);
  EXPECT_EQ(parts[1].start, 1);
  EXPECT_EQ(parts[1].end, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(parts[static_cast<std::size_t>(i)].id, i);
}

TEST(WordSpeakers, OfPartsAreThoseOfTheWhole) {
  const std::vector<SpeakerTurn> turns{{0, 1.05, "A"}, {1.05, 5, "B"}};
  const auto once = name_speakers(std::vector{words_at({{0, 0.5}, {0.5, 1}, {1, 1.5}})}, turns);
  EXPECT_EQ(name_speakers(once, turns), once);
}

TEST(WordSpeakers, GiveAWordToWhomMostOfItsMiddleIsOf) {
  EXPECT_EQ(named({{0, 1, "A"}, {1, 5, "B"}}, {{0.2, 1.6}, {1.6, 2}}), "A: w0 | B: w1");
  EXPECT_EQ(named({{0, 1, "A"}, {1, 5, "B"}}, {{0.6, 1.6}, {1.6, 2}}), "B: w0 w1");
}

TEST(WordSpeakers, GiveAWordInAPauseToTheNearestTurnOrTheWordBefore) {
  EXPECT_EQ(named({{0, 1, "A"}, {3, 9, "B"}}, {{0, 1}, {2.4, 2.8}, {3, 4}}), "A: w0 | B: w1 w2");
  EXPECT_EQ(named({{0, 1, "A"}, {9, 19, "B"}}, {{0, 1}, {4, 5}, {9, 10}}), "A: w0 w1 | B: w2");
}

TEST(WordSpeakers, GiveAWordBeforeAllTurnsToTheNextOneOrTheNearestTurn) {
  EXPECT_EQ(named({{3, 9, "A"}}, {{0, 0.2}, {0.3, 0.5}, {3, 4}}), "A: w0 w1 w2");
  EXPECT_EQ(named({{3, 9, "A"}, {9, 12, "B"}}, {{0, 0.2}, {0.3, 0.5}}), "A: w0 w1");
  // One of the sentence comes before those of the sentence before.
  const std::vector<SpeakerTurn> turns{{0, 1, "A"}, {9, 19, "B"}};
  const std::vector segments{words_at({{0, 1}}), words_at({{5, 6}, {9, 10}})};
  EXPECT_EQ(shown(name_speakers(segments, turns)), "A: w0 | B: w0 w1");
  const std::vector<Segment> wordless{{.start = 0.5, .end = 1, .text = " Hello."}};
  EXPECT_EQ(name_speakers(wordless, std::vector<SpeakerTurn>{{5, 9, "A"}})[0].speaker, "A");
}

TEST(WordSpeakers, TakeOneWordAmongAnothersForTheirs) {
  const Times times{{0, 1}, {1, 1.4}, {1.4, 2}};
  EXPECT_EQ(named({{0, 1, "A"}, {1, 1.5, "B"}, {1.5, 2, "A"}}, times), "A: w0 w1 w2");
  // A turn that is much longer than the word is no mistake.
  EXPECT_EQ(named({{0, 0.6, "A"}, {0.6, 1.6, "B"}, {1.6, 2, "A"}}, times), "A: w0 | B: w1 | A: w2");
}

TEST(WordSpeakers, LabelASegmentWithoutWordsAsAWhole) {
  const std::vector<SpeakerTurn> turns{{0, 1, "A"}, {1, 5, "B"}};
  const std::vector<Segment> segments{{.start = 0.5, .end = 4, .text = " Hello."}};
  const auto parts = name_speakers(segments, turns);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].speaker, "B");
  EXPECT_EQ(parts[0].text, " Hello.");
}

TEST(WordSpeakers, AreNobodyWhereNobodyWasHeard) {
  EXPECT_EQ(named({}, {{0, 1}, {1, 2}}), ": w0 w1");
}

TEST(WordSpeakers, OfAChannelAreLookedForInItsTurns) {
  const std::vector<SpeakerTurn> turns{{0, 3, "A", 0}, {0, 3, "B", 1}};
  const std::vector segments{words_at({{0, 1}}, 1), words_at({{1, 2}}, 0), words_at({{2, 3}}, 1)};
  EXPECT_EQ(shown(name_speakers(segments, turns)), "B: w0 | A: w0 | B: w0");
}

}  // namespace
}  // namespace protocol
