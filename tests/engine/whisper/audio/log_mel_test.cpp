#include "engine/whisper/audio/log_mel.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/whisper/audio/golden.h"
#include "tests/engine/whisper/audio/test_signal.h"

namespace engine {
namespace {

at::Tensor log_mel_in_chunks(const std::vector<float>& pcm, int n_mels, size_t chunk) {
  LogMel mel(n_mels);
  std::vector<at::Tensor> frames;
  for (size_t at = 0; at < pcm.size(); at += chunk) {
    frames.push_back(mel.push(std::span(pcm).subspan(at, std::min(chunk, pcm.size() - at))));
  }
  frames.push_back(mel.finish());
  return at::cat(frames);
}

at::Tensor log_mel_at_once(const std::vector<float>& pcm, int n_mels) {
  return log_mel_in_chunks(pcm, n_mels, pcm.size() + 1);
}

TEST(LogMel, EqualsOpenaiWhisper) {
  const auto golden = mel_golden();
  const auto pcm = test_signal(golden.at("samples"));
  const at::Tensor frames[] = {log_mel_at_once(pcm, 80), log_mel_at_once(pcm, 128)};
  for (const auto& [n_mels, frame, band, value] :
       golden.at("log_mel").get<std::vector<std::tuple<int, int, int, float>>>()) {
    const at::Tensor& mel = frames[n_mels == 128];
    const float got = frame < mel.size(0) ? mel[frame][band].item<float>() : silence_log_mel;
    // Another processor may round sums differently.
    EXPECT_NEAR(got, value, 2e-5F) << n_mels << " mels, frame " << frame << ", band " << band;
  }
}

TEST(LogMel, IsTheSameToTheBitHoweverTheSamplesArrive) {
  const auto pcm = test_signal(200123);
  const at::Tensor whole = log_mel_at_once(pcm, 80);
  for (const size_t chunk : {1, 160, 201, 4096, 80000, 99999}) {
    EXPECT_TRUE(at::equal(log_mel_in_chunks(pcm, 80, chunk), whole)) << chunk;
  }
}

TEST(LogMel, HearsRecordingsShorterThanAFrame) {
  for (const auto& [samples, frame, band, value] :
       mel_golden().at("short").get<std::vector<std::tuple<int, int, int, float>>>()) {
    const at::Tensor mel = log_mel_at_once(test_signal(samples), 80);
    const float got = frame < mel.size(0) ? mel[frame][band].item<float>() : silence_log_mel;
    EXPECT_NEAR(got, value, 2e-5F) << samples << " samples, frame " << frame;
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
    const std::int64_t first = mel.push(pcm).size(0);
    EXPECT_EQ(first + mel.finish().size(0), c.all) << c.samples;
    EXPECT_EQ(mel.content_frames(), c.content) << c.samples;
    EXPECT_EQ(mel.samples(), c.samples);
  }
}

TEST(LogMel, GivesFramesBeforeTheRecordingEnds) {
  LogMel mel(80);
  EXPECT_EQ(mel.push(test_signal(80000)).size(0), 0);
  EXPECT_EQ(mel.push(test_signal(40)).size(0), 500);
}

TEST(LogMel, OfZerosIsSilence) {
  const at::Tensor mel = log_mel_at_once(std::vector<float>(100000), 128);
  EXPECT_TRUE((mel == silence_log_mel).all().item<bool>());
}

}  // namespace
}  // namespace engine
