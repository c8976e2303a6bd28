#include "engine/speakers/word_speakers.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using protocol::Word;

protocol::Segment words_at(const std::vector<std::pair<double, double>>& times) {
  protocol::Segment segment{
      .start = times.front().first, .end = times.back().second, .tokens = {1, 2, 3}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string word = " w" + std::to_string(i);
    segment.words.push_back({times[i].first, times[i].second, word, 1});
    segment.text += word;
  }
  return segment;
}

// Returns the parts as "A: w0 w1 | B: w2".
std::string shown(const std::vector<protocol::Segment>& parts) {
  std::string text;
  for (const auto& part : parts) {
    text += (text.empty() ? "" : " | ") + part.speaker + ":" + part.text;
  }
  return text;
}

std::string labelled(std::vector<Turn> turns, const std::vector<std::pair<double, double>>& times) {
  return shown(WordSpeakers(std::move(turns)).label(words_at(times)));
}

TEST(WordSpeakers, CutASegmentWhereAnotherOneSpeaks) {
  WordSpeakers speakers({{0, 1.05, 0}, {1.05, 5, 1}});
  const auto parts = speakers.label(words_at({{0, 0.5}, {0.5, 1}, {1, 1.5}, {2, 3}}));
  EXPECT_EQ(shown(parts), "A: w0 w1 | B: w2 w3");
  EXPECT_EQ(parts[0].end, 1);
  EXPECT_EQ(parts[1].start, 1);
  EXPECT_EQ(parts[1].end, 3);
  EXPECT_EQ(parts[0].id, 0);
  EXPECT_EQ(parts[1].id, 1);
  EXPECT_EQ(parts[0].tokens.size(), 3U);
  EXPECT_TRUE(parts[1].tokens.empty());
  EXPECT_EQ(speakers.label(words_at({{3, 4}}))[0].id, 2);
}

TEST(WordSpeakers, GiveAWordToWhomMostOfItsMiddleIsOf) {
  EXPECT_EQ(labelled({{0, 1, 0}, {1, 5, 1}}, {{0.2, 1.6}, {1.6, 2}}), "A: w0 | B: w1");
  EXPECT_EQ(labelled({{0, 1, 0}, {1, 5, 1}}, {{0.6, 1.6}, {1.6, 2}}), "B: w0 w1");
}

TEST(WordSpeakers, GiveAWordInAPauseToTheNearestTurnOrTheWordBefore) {
  EXPECT_EQ(labelled({{0, 1, 0}, {3, 9, 1}}, {{0, 1}, {2.4, 2.8}, {3, 4}}), "A: w0 | B: w1 w2");
  EXPECT_EQ(labelled({{0, 1, 0}, {9, 19, 1}}, {{0, 1}, {4, 5}, {9, 10}}), "A: w0 w1 | B: w2");
}

TEST(WordSpeakers, TakeOneWordAmongAnothersForTheirs) {
  const std::vector<std::pair<double, double>> times{{0, 1}, {1, 1.4}, {1.4, 2}};
  EXPECT_EQ(labelled({{0, 1, 0}, {1, 1.5, 1}, {1.5, 2, 0}}, times), "A: w0 w1 w2");
  // A turn that is much longer than the word is no mistake.
  EXPECT_EQ(labelled({{0, 0.6, 0}, {0.6, 1.6, 1}, {1.6, 2, 0}}, times), "A: w0 | B: w1 | A: w2");
}

TEST(WordSpeakers, LabelASegmentWithoutWordsAsAWhole) {
  WordSpeakers speakers({{0, 1, 0}, {1, 5, 1}});
  const auto parts = speakers.label({.start = 0.5, .end = 4, .text = " Hello."});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].speaker, "B");
  EXPECT_EQ(parts[0].text, " Hello.");
}

TEST(WordSpeakers, AreNobodyWhereNobodyWasHeard) {
  EXPECT_EQ(labelled({}, {{0, 1}, {1, 2}}), ": w0 w1");
}

TEST(SpeakerBounds, AreThoseOfTheOptions) {
  const auto bounds = [](std::optional<int> num, std::optional<int> least,
                         std::optional<int> most) {
    protocol::TranscribeOptions options;
    options.num_speakers = num;
    options.min_speakers = least;
    options.max_speakers = most;
    return speaker_bounds(options);
  };
  EXPECT_EQ(bounds({}, {}, {})->most, 20);
  EXPECT_EQ(bounds({}, 30, {})->most, 30);
  EXPECT_EQ(bounds(3, {}, {})->least, 3);
  EXPECT_EQ(bounds(3, {}, {})->most, 3);
  EXPECT_EQ(bounds({}, 4, 2).error().code, Errc::invalid_option);
  EXPECT_EQ(bounds(5, {}, 2).error().code, Errc::invalid_option);
}

}  // namespace
}  // namespace engine
