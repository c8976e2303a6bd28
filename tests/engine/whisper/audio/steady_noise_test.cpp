#include "engine/whisper/audio/steady_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engine/whisper/audio/log_mel.h"

namespace engine {
namespace {

constexpr int second = 16'000;

enum class Color { white, brown };

std::vector<float> noise(Color color, int samples) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.01F);
  std::vector<float> pcm;
  float sum = 0;
  for (int i = 0; i < samples; ++i) {
    const float value = normal(random);
    sum = 0.998F * sum + value;
    pcm.push_back(color == Color::white ? value : sum);
  }
  return pcm;
}

// Makes a part of the samples louder.
void raise(std::vector<float>& pcm, int begin, int end, float decibels) {
  const float factor = std::pow(10.0F, decibels / 20);
  for (int i = begin; i < end; ++i) pcm[static_cast<std::size_t>(i)] *= factor;
}

int steady_frames(const std::vector<float>& pcm, int n_mels = 80) {
  LogMel mel(n_mels);
  return steady_noise(mel.push(pcm).values, n_mels);
}

TEST(SteadyNoise, IsNoiseOfEveryColorToItsEnd) {
  for (const Color color : {Color::white, Color::brown}) {
    for (const int n_mels : {80, 128}) {
      const auto pcm = noise(color, 30 * second);
      EXPECT_GE(steady_frames(pcm, n_mels), 2998) << n_mels;
    }
  }
}

TEST(SteadyNoise, EndsWhereItGetsLouder) {
  for (const Color color : {Color::white, Color::brown}) {
    auto pcm = noise(color, 30 * second);
    raise(pcm, 12 * second, 12 * second + second / 3, 4.5F);
    EXPECT_NEAR(steady_frames(pcm), 1200, 15);
  }
  auto louder = noise(Color::white, 30 * second);
  raise(louder, 12 * second, 30 * second, 0.5F);
  EXPECT_GE(steady_frames(louder), 2998) << "it hardly changes";
}

TEST(SteadyNoise, EndsWhereAPartOfTheSpectrumChanges) {
  auto pcm = noise(Color::white, 30 * second);
  for (int i = 12 * second; i < 13 * second; ++i) {
    for (const int pitch : {600, 700, 800, 900, 1000}) {  // together 8 dB below the noise
      const auto phase = static_cast<float>(i % second * pitch % second) / second;
      pcm[static_cast<std::size_t>(i)] += 0.0025F * std::sin(6.2832F * phase);
    }
  }
  EXPECT_NEAR(steady_frames(pcm), 1200, 15);
}

TEST(SteadyNoise, LastsFiveSecondsOrMore) {
  EXPECT_EQ(steady_frames(noise(Color::white, 4 * second)), 0);
  auto pcm = noise(Color::white, 30 * second);
  raise(pcm, 4 * second, 5 * second, 10);
  EXPECT_EQ(steady_frames(pcm), 0);
  EXPECT_EQ(steady_frames({}), 0);
}

}  // namespace
}  // namespace engine
