#include "engine/whisper/words/hallucinations.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace engine {
namespace {

AlignedWord word(double start, double end, double probability = 0.9, std::string text = " a") {
  return {{start, end, std::move(text), probability}, {0}};
}

SegmentWords segment(std::vector<AlignedWord> words) {
  return {words.front().start, words.back().end, words.size(), words};
}

SegmentWords said(double start, double end) {
  return segment({word(start, start + 0.4), word(end - 0.4, end)});
}

SegmentWords made_up(double start, double end) {
  return segment({word(start, start + 0.4, 0.1), word(end - 0.4, end, 0.1)});
}

TEST(Hallucinations, WordsScore) {
  struct Case {
    const char* what;
    AlignedWord word;
    double score;
  };
  const Case cases[] = {
      {"a usual word", word(1, 1.5), 0},
      {"an improbable word", word(1, 1.5, 0.14), 1},
      {"a word just probable enough", word(1, 1.5, 0.15), 0},
      {"a word of no length", word(1, 1), 0.133 * 15},
      {"a short word", word(0, 0.033), 1.5},
      {"a long word", word(0, 3.5), 1.5},
      {"a word of two seconds", word(0, 2), 0},
      {"an improbable long word", word(0, 3, 0.1), 2},
  };
  for (const Case& c : cases) EXPECT_DOUBLE_EQ(anomaly_score(c.word), c.score) << c.what;
}

TEST(Hallucinations, SegmentsAreJudgedByTheirFirstWords) {
  const AlignedWord good = word(0, 0.5);
  const AlignedWord bad = word(0, 0.5, 0.1);
  const AlignedWord sign = word(0, 0.5, 0.1, "。");
  const std::vector<AlignedWord> eight(8, good);
  struct Case {
    const char* what;
    std::vector<AlignedWord> words;
    bool anomalous;
  };
  std::vector<AlignedWord> late = eight;
  late.push_back(word(0, 20));
  std::vector<AlignedWord> behind_signs(9, sign);
  behind_signs.insert(behind_signs.end(), 2, good);
  const Case cases[] = {
      {"no words", {}, false},
      {"one good word", {good}, false},
      {"one bad word", {bad}, true},
      {"two of three", {bad, bad, good}, false},
      {"three of eight", {good, bad, good, bad, good, bad, good, good}, true},
      {"a bad word behind the eighth", late, false},
      {"signs do not count", behind_signs, false},
      {"nothing but signs", {sign, sign}, true},
      {"nearly as many as words", {word(0, 2.991), good}, false},
      {"a hundredth less than the words", {word(0, 2.991)}, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(is_anomalous({0, 1, c.words.size(), c.words}), c.anomalous) << c.what;
  }
}

TEST(Hallucinations, SilenceBeforeThemIsSkipped) {
  const WindowPlace place{1000, 3000, 9000};
  using Frames = std::optional<std::int64_t>;
  struct Case {
    const char* what;
    std::vector<SegmentWords> segments;
    double threshold;
    Frames skipped;
  };
  const Case cases[] = {
      {"no segments", {}, 1, {}},
      {"made up behind silence", {made_up(13.21, 15)}, 1, 321},
      {"said behind silence", {said(13, 15)}, 1, {}},
      {"made up, too little silence", {made_up(11, 15)}, 1, {}},
      {"segments without words are silence", {{10, 12, 0, {}}, made_up(13, 15)}, 1, 300},
      {"only the first words count", {said(13, 15), made_up(18, 20)}, 1, {}},
      {"a gap of no frame is none", {made_up(10.004, 12)}, 0.001, {}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(leading_silence(c.segments, place, c.threshold), c.skipped) << c.what;
  }
}

TEST(Hallucinations, AreCutOutBetweenSilences) {
  const WindowPlace place{1000, 3000, 9000};
  struct Case {
    const char* what;
    std::vector<SegmentWords> segments;
    double last_speech_end;
    std::optional<std::pair<std::size_t, std::int64_t>> cut;
  };
  const Case cases[] = {
      {"nothing made up", {said(12, 14), said(20, 22)}, 9, {}},
      {"silence on both sides", {said(12, 14), made_up(17, 19), said(22, 24)}, 9, {{1, 1700}}},
      {"no silence before", {said(12, 16.5), made_up(17, 19), said(22, 24)}, 9, {}},
      {"no silence after", {said(12, 14), made_up(17, 19), said(19.5, 24)}, 9, {}},
      {"another one after", {said(12, 14), made_up(17, 19), made_up(19.5, 24)}, 9, {{1, 1700}}},
      {"the window begins before", {made_up(11, 13), said(16, 20)}, 11, {{0, 1100}}},
      {"not before the window's second second", {made_up(10.5, 13), said(16, 20)}, 9, {{0, 1100}}},
      {"the window ends after", {said(12, 14), made_up(17, 39)}, 9, {{1, 1700}}},
      {"speech before the window", {made_up(12.5, 14), said(16, 20)}, 12, {}},
      {"segments without words are no speech",
       {said(12, 14), {14, 17, 0, {}}, made_up(17, 19), {19, 22, 0, {}}, said(22, 24)},
       9,
       {{2, 1700}}},
      {"speech may follow the one that is cut out",
       {made_up(12.5, 14), made_up(17, 19), said(22, 24)},
       12.4,
       {{1, 1700}}},
  };
  for (const Case& c : cases) {
    const auto cut = find_hallucination(c.segments, place, 2, c.last_speech_end);
    ASSERT_EQ(cut.has_value(), c.cut.has_value()) << c.what;
    if (!cut) continue;
    EXPECT_EQ(cut->segment, c.cut->first) << c.what;
    EXPECT_EQ(cut->seek, c.cut->second) << c.what;
  }
}

TEST(Hallucinations, AtTheStartOfTheRecordingNeedNoSilenceBefore) {
  const std::vector<SegmentWords> segments{made_up(2.5, 3), said(7, 8)};
  EXPECT_FALSE(find_hallucination(segments, {0, 3000, 9000}, 2.4, 2.2));
  EXPECT_TRUE(find_hallucination(segments, {0, 3000, 9000}, 2.6, 2.2));
}

TEST(Hallucinations, AtTheEndOfTheRecordingEndIt) {
  const std::vector<SegmentWords> segments{said(12, 14), made_up(17, 19)};
  const auto cut = find_hallucination(segments, {1000, 1000, 2050}, 2, 9);
  EXPECT_FALSE(cut) << "the window's own frames end too early for silence after it";
  const std::vector<SegmentWords> late{said(12, 14), made_up(37, 39)};
  const auto end = find_hallucination(late, {1000, 3000, 4050}, 2, 9);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->seek, 4050);
}

}  // namespace
}  // namespace engine
