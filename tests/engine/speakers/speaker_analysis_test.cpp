#include "engine/speakers/speaker_analysis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/speakers/speaker_listener.h"
#include "engine/speakers/turns.h"
#include "tests/engine/speakers/fake_networks.h"

namespace engine {
namespace {

SpeakerEvidence analyse(const std::vector<float>& pcm, std::size_t step) {
  SpeakerAnalysis analysis(std::make_shared<FakeNetworks>());
  for (std::size_t begin = 0; begin < pcm.size(); begin += step) {
    analysis.push(std::span(pcm).subspan(begin, std::min(step, pcm.size() - begin)));
  }
  analysis.finish();
  return analysis.evidence();
}

TEST(SpeakerAnalysis, HearsWindowsUntilTheEndIsCovered) {
  const auto windows = [](std::int64_t samples) {
    return analyse(std::vector<float>(static_cast<std::size_t>(samples)), 16000).windows.size();
  };
  EXPECT_EQ(windows(0), 0U);
  EXPECT_EQ(windows(1), 1U);
  EXPECT_EQ(windows(speaker_window), 1U);
  EXPECT_EQ(windows(speaker_window + 1), 2U);
  EXPECT_EQ(windows(speaker_window + 7 * speaker_window_step), 8U);
  EXPECT_EQ(windows(speaker_window + 7 * speaker_window_step + 1), 9U);
  EXPECT_EQ(windows(speaker_window + 20 * speaker_window_step), 21U);
}

TEST(SpeakerAnalysis, FindsTheSameHoweverTheSamplesArrive) {
  const auto pcm = sound({{3, 0.1F}, {1, 0}, {30, 0.2F}, {0.2, 0}, {25, 0.1F}, {7.3, 0.2F}});
  const SpeakerEvidence whole = analyse(pcm, pcm.size());
  const SpeakerEvidence parts = analyse(pcm, 777);
  EXPECT_EQ(whole.samples, parts.samples);
  EXPECT_EQ(whole.pieces, parts.pieces);
  EXPECT_EQ(whole.embeddings, parts.embeddings);
  EXPECT_EQ(whole.embeddings.size(), whole.pieces.size() * embedding_size);
}

TEST(SpeakerAnalysis, CutsPiecesOutOfOneVoice) {
  const auto pcm = sound({{3, 0.1F}, {1, 0}, {60, 0.2F}, {0.6, 0.1F}, {20, 0}});
  const auto networks = std::make_shared<FakeNetworks>();
  SpeakerListener listener(networks);
  ASSERT_TRUE(listener.push(pcm));
  ASSERT_TRUE(listener.finish());
  const auto& pieces = listener.evidence().pieces;
  ASSERT_GT(pieces.size(), 100U);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    // A frame's centre may be a few samples away from where the voice changes.
    const auto begin = networks->samples_.begin() + static_cast<std::ptrdiff_t>(i * piece_samples);
    EXPECT_EQ(begin[400], begin[piece_samples - 400]) << i << " at " << pieces[i].begin;
  }
}

TEST(SpeakerAnalysis, EndsInTheTurnsOfTheSpeakers) {
  const auto pcm = sound({{2, 0}, {20, 0.2F}, {0.3, 0}, {15, 0.1F}, {5, 0.3F}, {10, 0.2F}, {3, 0}});
  const Turns turns = find_turns(analyse(pcm, 16000));
  ASSERT_EQ(turns.all.size(), 3U);
  const auto expect_turn = [&](std::size_t i, double start, double end, int speaker) {
    EXPECT_NEAR(turns.all[i].start, start, 0.03);
    EXPECT_NEAR(turns.all[i].end, end, 0.03);
    EXPECT_EQ(turns.all[i].speaker, speaker);
  };
  expect_turn(0, 2, 22, 0);
  expect_turn(1, 22.3, 42.3, 1);  // both speak from 37.3 on
  expect_turn(2, 37.3, 52.3, 0);
}

TEST(SpeakerAnalysis, OfSilenceFindsNobody) {
  EXPECT_TRUE(find_turns(analyse(sound({{30, 0}}), 16000)).all.empty());
  EXPECT_TRUE(find_turns(analyse({}, 16000)).all.empty());
}

}  // namespace
}  // namespace engine
