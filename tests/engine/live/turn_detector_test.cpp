#include "engine/live/turn_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace engine {
namespace {

using protocol::TurnCause;
using protocol::TurnDetection;

constexpr std::int64_t detector_chunk = TurnDetector::chunk_samples;  // 32 ms

// A turn is padded by five chunks, ended by five, and begun by three.
TurnDetection in_chunks() {
  return {.threshold = 0.5,
          .prefix_padding_ms = 5 * 32,
          .silence_duration_ms = 5 * 32,
          .unfinished_silence_ms = std::nullopt,
          .min_speech_duration_ms = 3 * 32};
}

float probability(char sign) {
  return sign == '#' ? 0.9F : sign == '~' ? 0.4F : 0.0F;
}

// Writes the changes that a text of chunks brings, by their chunks: "[2 14] [20". Speech is '#',
// silence '.', and '~' is neither. An end by the limit is "14!".
std::string hear(TurnDetector& detector, const std::string& chunks, bool ends_sentence = true) {
  std::string told;
  for (const char sign : chunks) {
    const auto change = detector.push(probability(sign), ends_sentence);
    if (!change) continue;
    const std::string at = std::to_string(change->at / detector_chunk);
    if (!told.empty()) told += ' ';
    if (change->kind == TurnChange::Kind::begins) {
      told += "[" + at;
    } else {
      told += at + (change->cause == TurnCause::limit ? "!" : "]");
      detector.cut(change->at);
    }
  }
  return told;
}

std::string hear(const std::string& chunks) {
  TurnDetector detector(in_chunks());
  return hear(detector, chunks);
}

TEST(TurnDetector, TurnsBeginBeforeSpeechAndEndBehindASilence) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"..................", ""},
      {"..........####......", "[5 19]"},
      // The padding is not before the session, nor before the end of the last turn.
      {"####......", "[0 9]"},
      {"....####.....###.........", "[0 13] [13 21]"},
      {"....####.......###.........", "[0 13] [13 23]"},
      // A pause that is shorter than the silence is within the turn.
      {"......####....####......", "[1 23]"},
      // Speech of two chunks is too short, unless more comes soon.
      {"......##..........", ""},
      {"......##....##......", ""},
      {"......##.##......", "[1 16]"},
      // Between the thresholds nothing begins, nothing ends, and a silence goes on.
      {"~~~~~~~~~~~~~~~~~~", ""},
      {"....####~~~~~~~~~~~~.....", "[0 25]"},
      {"....####...~......", "[0 13]"},
      {"....####...#.....", "[0 17]"},
  };
  for (const auto& [chunks, told] : cases) EXPECT_EQ(hear(chunks), told) << chunks;
}

TEST(TurnDetector, AnUnfinishedSentenceIsWaitedForLonger) {
  TurnDetection options = in_chunks();
  options.unfinished_silence_ms = 10 * 32;
  TurnDetector finished(options);
  EXPECT_EQ(hear(finished, "####..............", true), "[0 9]");
  TurnDetector unfinished(options);
  EXPECT_EQ(hear(unfinished, "####..............", false), "[0 14]");
  TurnDetector late(options);
  EXPECT_EQ(hear(late, "####.......", false), "[0");
  EXPECT_EQ(hear(late, ".", true), "12]");
}

TEST(TurnDetector, WithoutOptionsNoSilenceEndsATurnAndFaintSpeechBeginsOne) {
  TurnDetector detector(std::nullopt);
  EXPECT_EQ(hear(detector, "~~~~~~" + std::string(1000, '.')), "[0");
  EXPECT_TRUE(detector.in_turn());
  EXPECT_EQ(detector.silent_until(detector.position()), 1000 * detector_chunk);
  // From then on a silence ends it, also one that has lasted.
  detector.configure(in_chunks());
  EXPECT_EQ(hear(detector, "."), "1007]");
}

TEST(TurnDetector, ATooLongTurnEndsInAShortSilence) {
  constexpr auto longest = static_cast<std::size_t>(TurnDetector::longest_turn / detector_chunk);
  TurnDetection options = in_chunks();
  options.silence_duration_ms = 5'000;
  TurnDetector paused(options);
  EXPECT_EQ(hear(paused, std::string(longest + 10, '#')), "[0");
  EXPECT_EQ(hear(paused, "...."), std::to_string(longest + 14) + "!");
  // Without any, it ends a minute later, and the next begins there.
  TurnDetector restless(options);
  const std::string end = std::to_string(longest + 1875);
  EXPECT_EQ(hear(restless, std::string(longest + 1875 + 3, '#')), "[0 " + end + "! [" + end);
}

TEST(TurnDetector, ACutForgetsTheTurnAndWhatIsBeforeIt) {
  TurnDetector detector(in_chunks());
  EXPECT_EQ(hear(detector, "....######"), "[0");
  EXPECT_EQ(detector.begin(), 0);
  detector.cut(10 * detector_chunk + 100);
  EXPECT_FALSE(detector.in_turn());
  EXPECT_EQ(detector.begin(), std::nullopt);
  EXPECT_EQ(detector.needed_from(), 10 * detector_chunk + 100);
  EXPECT_EQ(hear(detector, "#"), "");
  EXPECT_EQ(detector.begin(), 10 * detector_chunk + 100);
  // Three chunks less 100 samples are too short.
  EXPECT_EQ(hear(detector, "##"), "");
  const auto change = detector.push(0.9F, false);
  EXPECT_EQ(change, (TurnChange{TurnChange::Kind::begins, 10 * detector_chunk + 100}));
}

TEST(TurnDetector, SaysWhichSoundMayStillBeNeeded) {
  TurnDetector detector(in_chunks());
  EXPECT_EQ(detector.needed_from(), 0);
  hear(detector, "..........");
  EXPECT_EQ(detector.needed_from(), 5 * detector_chunk);
  hear(detector, "##");
  EXPECT_EQ(detector.needed_from(), 5 * detector_chunk);
  hear(detector, "....");
  EXPECT_EQ(detector.needed_from(), 11 * detector_chunk);
}

TEST(TurnDetector, HoldsNoMoreThanTenSecondsHoweverMuchIsAskedFor) {
  TurnDetection options = in_chunks();
  options.prefix_padding_ms = options.min_speech_duration_ms = 1'000'000'000;
  TurnDetector detector(options);
  hear(detector, std::string(1000, '.'));
  EXPECT_EQ(detector.needed_from(), 1000 * detector_chunk - 160'000);
  EXPECT_EQ(hear(detector, std::string(313, '#')), "[687");
}

// Somebody says ten numbers, half a second apart: the probabilities are Silero's own.
TEST(TurnDetector, NumbersAreTurnsWhereTheSilenceIsShort) {
  std::ifstream file(SCRIBED_SOURCE_DIR "/tests/engine/vad/vad_golden.json");
  const auto golden = nlohmann::json::parse(file);
  const auto& recordings = golden.at("recordings");
  const auto numbers = std::ranges::find_if(
      recordings, [](const auto& recording) { return recording.at("file") == "en-numbers.wav"; });
  ASSERT_NE(numbers, recordings.end());
  const auto turns = [&](int silence_ms) {
    TurnDetector detector(TurnDetection{.silence_duration_ms = silence_ms});
    int begun = 0;
    for (const float one : numbers->at("probabilities").get<std::vector<float>>()) {
      const auto change = detector.push(one, false);
      if (!change) continue;
      begun += change->kind == TurnChange::Kind::begins ? 1 : 0;
      if (change->kind == TurnChange::Kind::ends) detector.cut(change->at);
    }
    return begun;
  };
  EXPECT_EQ(turns(200), 10);
  EXPECT_EQ(turns(2000), 1);
}

}  // namespace
}  // namespace engine
