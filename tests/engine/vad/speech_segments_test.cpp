#include "engine/vad/speech_segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/vad/golden.h"

namespace engine {
namespace {

using Regions = std::vector<SpeechRegion>;

// One probability for every character: '#' speech, '-' neither, ' ' silence.
std::vector<float> probabilities(const std::string& drawing) {
  std::vector<float> result;
  for (const char c : drawing) result.push_back(c == '#' ? 0.9f : c == '-' ? 0.4f : 0.1f);
  return result;
}

// Returns options in whole chunks, without padding; a silence of two chunks ends a region.
SpeechOptions plain() {
  SpeechOptions options;
  options.min_speech_duration_ms = 0;
  options.min_silence_duration_ms = 64;
  options.speech_pad_ms = 0;
  return options;
}

Regions in_chunks(const SpeechOptions& options, const std::string& drawing) {
  Regions regions =
      segment(options, probabilities(drawing), 512 * static_cast<std::int64_t>(drawing.size()));
  for (auto& region : regions) region = {region.begin / 512, region.end / 512};
  return regions;
}

TEST(SpeechSegmenter, FindsRunsOfSpeech) {
  struct Case {
    std::string drawing;
    Regions regions;
  };
  const Case cases[] = {
      {"", {}},
      {"      ", {}},
      {"------", {}},
      {"######", {{0, 6}}},
      {"  ###   ", {{2, 5}}},
      {"  ###", {{2, 5}}},
      {"#  #", {{0, 4}}},             // silence too short by a chunk
      {"#   #", {{0, 1}, {4, 5}}},    //
      {"##----   ", {{0, 6}}},        // what is neither goes on as it was
      {"--##   --", {{2, 4}}},        //
      {"# -#", {{0, 4}}},             // and ends no silence,
      {"## - ##", {{0, 2}, {5, 7}}},  // nor is a region ended by it
      {"## -##", {{0, 6}}},           //
  };
  for (const Case& c : cases) EXPECT_EQ(in_chunks(plain(), c.drawing), c.regions) << c.drawing;
}

TEST(SpeechSegmenter, DropsRegionsThatAreNotLonger) {
  SpeechOptions options = plain();
  options.min_speech_duration_ms = 64;
  EXPECT_EQ(in_chunks(options, "##   ###   #   ##"), (Regions{{5, 8}}));
  EXPECT_EQ(in_chunks(options, "##   ###   #   ###"), (Regions{{5, 8}, {15, 18}}));
}

TEST(SpeechSegmenter, CutsLongSpeechAtItsLongestSilence) {
  SpeechOptions options = plain();
  options.min_silence_duration_ms = 1000;
  options.max_speech_duration_s = 11 * 0.032;  // ten chunks: one is always kept off
  EXPECT_EQ(in_chunks(options, "##     ##    ##"), (Regions{{0, 2}, {7, 15}}));
  EXPECT_EQ(in_chunks(options, "##    ##    ###"), (Regions{{0, 2}, {6, 15}}));
  EXPECT_EQ(in_chunks(options, "##    #    ####"), (Regions{{0, 2}, {6, 15}}));  // the first of two
  // Silences of 98 ms are too short to cut at.
  EXPECT_EQ(in_chunks(options, "##   ##   #####"), (Regions{{0, 11}, {12, 15}}));
}

TEST(SpeechSegmenter, PadsRegionsAndSharesShortSilences) {
  SpeechOptions options = plain();
  options.speech_pad_ms = 64;
  EXPECT_EQ(in_chunks(options, "     ##     "), (Regions{{3, 9}}));
  EXPECT_EQ(in_chunks(options, " ##      ## "), (Regions{{0, 5}, {7, 12}}));
  EXPECT_EQ(in_chunks(options, " ##    ##   "), (Regions{{0, 5}, {5, 11}}));
  EXPECT_EQ(segment(options, probabilities("#   #"), 5 * 512),
            (Regions{{0, 512 + 768}, {4 * 512 - 768, 5 * 512}}));
}

TEST(SpeechSegmenter, EndsWhereTheRecordingEnds) {
  EXPECT_EQ(segment(plain(), probabilities("  ##"), 3 * 512 + 7), (Regions{{1024, 1543}}));
  SpeechOptions options = plain();
  options.speech_pad_ms = 100;
  EXPECT_EQ(segment(options, probabilities(" #   "), 4 * 512 + 7), (Regions{{0, 2055}}));
}

TEST(SpeechSegmenter, HandsOutARegionOnceTheSilenceBehindItIsLongEnough) {
  SpeechOptions options = plain();
  options.speech_pad_ms = 48;  // 1.5 chunks, so three chunks for two regions
  SpeechSegmenter segmenter(options);
  Regions regions;
  for (const float p : probabilities("##  ")) segmenter.push(p, regions);
  EXPECT_TRUE(regions.empty());
  for (const float p : probabilities("  ")) segmenter.push(p, regions);
  EXPECT_EQ(regions, (Regions{{0, 1024 + 768}}));
  segmenter.finish(6 * 512, regions);
  EXPECT_EQ(regions.size(), 1u);
}

TEST(SpeechSegmenter, IsAsNewAfterTheEnd) {
  SpeechSegmenter segmenter(plain());
  Regions first;
  Regions second;
  for (Regions* regions : {&first, &second}) {
    for (const float p : probabilities(" ##    ###")) segmenter.push(p, *regions);
    segmenter.finish(10 * 512, *regions);
  }
  EXPECT_EQ(first, second);
}

std::vector<float> made_up(std::uint32_t seed) {
  constexpr int levels[] = {1, 3, 8, 20, 31, 32, 42, 45, 60};
  std::uint32_t state = seed;
  const auto draw = [&] {
    state = state * 1664525u + 1013904223u;
    return state >> 20;
  };
  std::vector<float> result;
  while (result.size() < 600) {
    const std::size_t length = 1 + draw() % 24;
    result.insert(result.end(), length, static_cast<float>(levels[draw() % 9]) / 64);
  }
  return result;
}

TEST(SpeechSegmenter, AgreesWithSilero) {
  const auto golden = vad_golden();
  for (const auto& c : golden.at("made_up")) {
    for (std::size_t i = 0; i < golden.at("options").size(); ++i) {
      const auto& options = golden.at("options")[i];
      ASSERT_TRUE(validate(golden_options(options)));
      EXPECT_EQ(segment(golden_options(options), made_up(c.at("seed")), c.at("samples")),
                golden_regions(c.at("regions")[i]))
          << options << " seed " << c.at("seed");
    }
  }
}

TEST(SpeechOptions, ThoseOfFasterWhisperAreValid) {
  EXPECT_TRUE(validate({}));
  EXPECT_TRUE(validate(faster_whisper_options()));
  EXPECT_EQ(faster_whisper_options().min_silence_duration_ms, 2000);
  EXPECT_TRUE(validate(faster_whisper_batched_options()));
  EXPECT_EQ(faster_whisper_batched_options().max_speech_duration_s, 30);
}

TEST(SpeechOptions, WithoutMeaningAreRefusedByName) {
  const auto refused = [](auto change) {
    SpeechOptions options;
    change(options);
    const auto result = validate(options);
    return result ? "nothing" : result.error().message;
  };
  const auto names = [&](const char* name, auto change) {
    EXPECT_NE(refused(change).find(std::string(" ") + name + " "), std::string::npos) << name;
  };
  for (const double bad : {0.0, 1.5, std::nan("")}) {
    names("threshold", [=](SpeechOptions& o) { o.threshold = bad; });
  }
  for (const double bad : {-0.1, 0.6, std::nan("")}) {
    names("neg_threshold", [=](SpeechOptions& o) { o.neg_threshold = bad; });
  }
  for (const int bad : {-1, std::numeric_limits<int>::max()}) {
    names("min_speech_duration_ms", [=](SpeechOptions& o) { o.min_speech_duration_ms = bad; });
    names("min_silence_duration_ms", [=](SpeechOptions& o) { o.min_silence_duration_ms = bad; });
    names("min_silence_at_max_speech",
          [=](SpeechOptions& o) { o.min_silence_at_max_speech = bad; });
    names("speech_pad_ms", [=](SpeechOptions& o) { o.speech_pad_ms = bad; });
  }
  for (const double bad : {0.0, 0.092, std::nan("")}) {
    names("max_speech_duration_s", [=](SpeechOptions& o) { o.max_speech_duration_s = bad; });
  }
}

}  // namespace
}  // namespace engine
