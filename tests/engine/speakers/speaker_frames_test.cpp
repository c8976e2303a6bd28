#include "engine/speakers/speaker_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace engine {
namespace {

VoiceWindow whole_window(std::int64_t start, Voices voices) {
  VoiceWindow window{.start = start};
  window.voices.fill(voices);
  return window;
}

// Adds a piece whose embedding is the speaker's own direction, or lies between two speakers'.
void add_piece(SpeakerEvidence& evidence, double begin, std::size_t speaker,
               std::optional<std::size_t> second = {}) {
  evidence.pieces.push_back({begin, begin + piece_s});
  const std::size_t size = evidence.embeddings.size();
  evidence.embeddings.resize(size + embedding_size);
  evidence.embeddings[size + speaker] = 1;
  if (second) evidence.embeddings[size + *second] = 1.5F;
}

SpeakerEvidence evidence_of(std::vector<VoiceWindow> windows) {
  SpeakerEvidence evidence{.windows = std::move(windows)};
  for (const VoiceWindow& window : evidence.windows) evidence.votes.add(window);
  return evidence;
}

TEST(SpeakerFrames, MatchTheVoicesOfEachWindowWithTheSpeakers) {
  // One voice is the first in one window and the third in the next.
  SpeakerEvidence evidence =
      evidence_of({whole_window(0, 0b001), whole_window(speaker_window_step, 0b100)});
  for (int i = 0; i < 8; ++i) add_piece(evidence, i * 1.5, 5);
  const SpeakerFrames frames = reconstruct(evidence, std::vector<int>(8, 0), 20);
  ASSERT_EQ(frames.active.size(), 148U + 589U);
  EXPECT_EQ(std::ranges::count(frames.active, 1U), 148 + 589);
  EXPECT_EQ(frames.foremost.front(), 0);
}

TEST(SpeakerFrames, HaveTwoSpeakersWhereTheWindowsCountTwo) {
  VoiceWindow window = whole_window(0, 0b001);
  for (std::size_t i = 200; i < 589; ++i) window.voices[i] = i < 300 ? 0b011 : 0b010;
  SpeakerEvidence evidence = evidence_of({window});
  add_piece(evidence, 0.5, 0);
  add_piece(evidence, 6, 1);
  const std::vector<int> speakers{0, 1};
  const SpeakerFrames frames = reconstruct(evidence, speakers, 20);
  EXPECT_EQ(frames.active[100], 0b01U);
  EXPECT_EQ(frames.active[250], 0b11U);
  EXPECT_EQ(frames.active[400], 0b10U);
  EXPECT_EQ(reconstruct(evidence, speakers, 1).active[250], 0b01U);
}

TEST(SpeakerFrames, FollowThePiecesWhereAWindowHearsOneVoiceForTwoSpeakers) {
  SpeakerEvidence evidence = evidence_of({whole_window(0, 0b001)});
  for (int i = 0; i < 3; ++i) add_piece(evidence, i * 1.5, 0);
  add_piece(evidence, 6, 1);
  const SpeakerFrames frames = reconstruct(evidence, std::vector<int>{0, 0, 0, 1}, 20);
  EXPECT_EQ(frames.foremost[100], 0);
  EXPECT_EQ(frames.foremost[400], 1);
}

TEST(SpeakerFrames, FollowTheWindowWhereAPieceMayHoldTwoVoices) {
  SpeakerEvidence evidence = evidence_of({whole_window(0, 0b001)});
  for (int i = 0; i < 3; ++i) add_piece(evidence, i * 1.5, 0);
  add_piece(evidence, 6, 1, 0);
  add_piece(evidence, 8, 1);
  const SpeakerFrames frames = reconstruct(evidence, std::vector<int>{0, 0, 0, 1, 1}, 20);
  EXPECT_EQ(frames.foremost[400], 0);
}

TEST(SpeakerFrames, AreNobodysWithoutPieces) {
  EXPECT_TRUE(reconstruct(evidence_of({whole_window(0, 0b001)}), {}, 20).active.empty());
}

}  // namespace
}  // namespace engine
