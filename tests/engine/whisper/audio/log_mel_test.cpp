#include "engine/whisper/audio/log_mel.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/whisper/audio/golden.h"
#include "tests/engine/whisper/audio/test_signal.h"

namespace engine {
namespace {

MelFrames log_mel_in_chunks(const std::vector<float>& pcm, int n_mels, size_t chunk) {
  LogMel mel(n_mels);
  MelFrames all{n_mels};
  const auto add = [&](const MelFrames& frames) {
    all.values.insert(all.values.end(), frames.values.begin(), frames.values.end());
  };
  for (size_t at = 0; at < pcm.size(); at += chunk) {
    add(mel.push(std::span(pcm).subspan(at, std::min(chunk, pcm.size() - at))));
  }
  add(mel.finish());
  return all;
}

// Returns silence behind the last frame.
float value_of(const MelFrames& mel, int frame, int band) {
  if (frame >= mel.frames()) return silence_log_mel;
  return mel.values[static_cast<std::size_t>(frame * mel.n_mels + band)];
}

MelFrames log_mel_at_once(const std::vector<float>& pcm, int n_mels) {
  return log_mel_in_chunks(pcm, n_mels, pcm.size() + 1);
}

TEST(LogMel, EqualsOpenaiWhisper) {
  const auto golden = mel_golden();
  const auto pcm = test_signal(golden.at("samples"));
  const MelFrames frames[] = {log_mel_at_once(pcm, 80), log_mel_at_once(pcm, 128)};
  for (const auto& [n_mels, frame, band, value] :
       golden.at("log_mel").get<std::vector<std::tuple<int, int, int, float>>>()) {
    const MelFrames& mel = frames[n_mels == 128];
    EXPECT_NEAR(value_of(mel, frame, band), value, 2e-5F)
        << n_mels << " mels, frame " << frame << ", band " << band;
  }
}

TEST(LogMel, IsTheSameToTheBitHoweverTheSamplesArrive) {
  const auto pcm = test_signal(200123);
  const MelFrames whole = log_mel_at_once(pcm, 80);
  for (const size_t chunk : {1, 160, 201, 4096, 80000, 99999}) {
    EXPECT_EQ(log_mel_in_chunks(pcm, 80, chunk).values, whole.values) << chunk;
  }
}

TEST(LogMel, HearsRecordingsShorterThanAFrame) {
  for (const auto& [samples, frame, band, value] :
       mel_golden().at("short").get<std::vector<std::tuple<int, int, int, float>>>()) {
    const MelFrames mel = log_mel_at_once(test_signal(samples), 80);
    EXPECT_NEAR(value_of(mel, frame, band), value, 2e-5F) << samples << " samples, frame " << frame;
  }
}

TEST(LogMel, CountsFrames) {
  struct Case {
    int samples, content, all;
  };
  for (const Case& c : {Case{0, 0, 2},
                        {159, 0, 3},
                        {160, 1, 3},
                        {161, 1, 3},
                        {80000, 500, 502},
                        {80120, 500, 502},
                        {80121, 500, 503}}) {
    LogMel mel(80);
    const auto pcm = test_signal(c.samples);
    const int first = mel.push(pcm).frames();
    EXPECT_EQ(first + mel.finish().frames(), c.all) << c.samples;
    EXPECT_EQ(mel.content_frames(), c.content) << c.samples;
    EXPECT_EQ(mel.samples(), c.samples);
  }
}

TEST(LogMel, GivesFramesBeforeTheRecordingEnds) {
  LogMel mel(80);
  EXPECT_EQ(mel.push(test_signal(199)).frames(), 0);
  EXPECT_EQ(mel.push(test_signal(1)).frames(), 0) << "the reflection wants one sample more";
  EXPECT_EQ(mel.push(test_signal(1)).frames(), 1);
  EXPECT_EQ(mel.push(test_signal(16000)).frames(), 100);
}

TEST(LogMel, OfZerosIsSilence) {
  for (const float value : log_mel_at_once(std::vector<float>(100000), 128).values) {
    ASSERT_EQ(value, silence_log_mel);
  }
}

}  // namespace
}  // namespace engine
