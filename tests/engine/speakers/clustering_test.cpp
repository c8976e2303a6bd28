#include "engine/speakers/clustering.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace engine {
namespace {

constexpr int size = 16;  // of an embedding

using Labels = std::vector<int>;

// Makes pieces of voices: each voice is a direction of its own, and a piece lies around it. Pieces
// of a voice have a cosine of some 0.8 with each other.
class Conversation {
 public:
  explicit Conversation(unsigned seed) : random_(seed) {}

  void say(int voice, int pieces) {
    for (int i = 0; i < pieces; ++i) {
      for (int j = 0; j < size; ++j) {
        embeddings_.push_back((j == voice ? 10.0F : 0.0F) + 1.2F * noise_(random_));
      }
    }
  }
  const std::vector<float>& embeddings() const { return embeddings_; }

 private:
  std::mt19937 random_;
  std::normal_distribution<float> noise_;
  std::vector<float> embeddings_;
};

Labels repeated(const std::vector<std::pair<int, int>>& runs) {
  Labels labels;
  for (const auto& [label, count] : runs) {
    labels.insert(labels.end(), static_cast<std::size_t>(count), label);
  }
  return labels;
}

int count_speakers(const Labels& labels) {
  return static_cast<int>(std::set(labels.begin(), labels.end()).size());
}

TEST(Clustering, NumbersSpeakersInTheOrderOfAppearance) {
  Conversation voices(1);
  voices.say(7, 10);
  voices.say(2, 20);
  voices.say(7, 5);
  voices.say(4, 8);
  EXPECT_EQ(cluster_speakers(voices.embeddings(), size),
            repeated({{0, 10}, {1, 20}, {0, 5}, {2, 8}}));
}

TEST(Clustering, GivesAFewPiecesToTheSpeakerWhoIsMostSimilar) {
  Conversation voices(2);
  voices.say(0, 40);
  voices.say(1, 40);
  std::vector<float> embeddings = voices.embeddings();
  for (int i = 0; i < 3; ++i) {  // like nobody, and a little like the second
    for (int j = 0; j < size; ++j) embeddings.push_back(j == 1 ? 3.0F : j == 9 ? 10.0F : 0.0F);
  }
  EXPECT_EQ(cluster_speakers(embeddings, size), repeated({{0, 40}, {1, 43}}));
}

TEST(Clustering, FindsAsManySpeakersAsAreAskedFor) {
  Conversation voices(3);
  for (int voice = 0; voice < 4; ++voice) voices.say(voice, 12);
  const auto count = [&](int least, int most) {
    return count_speakers(cluster_speakers(voices.embeddings(), size, {least, most}));
  };
  EXPECT_EQ(count(1, 20), 4);
  EXPECT_EQ(count(1, 1), 1);
  EXPECT_LE(count(1, 3), 3);
}

TEST(Clustering, SplitsSimilarVoicesWhereMoreAreAskedFor) {
  std::vector<float> embeddings;
  for (int i = 0; i < 20; ++i) {
    std::vector<float> piece(size);
    piece[0] = i < 10 ? 1.0F : 0.5F;  // 60 degrees between the voices, a distance of 0.5
    piece[1] = i < 10 ? 0.0F : 0.8660254F;
    embeddings.insert(embeddings.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(cluster_speakers(embeddings, size), repeated({{0, 20}}));
  EXPECT_EQ(cluster_speakers(embeddings, size, {2, 20}), repeated({{0, 10}, {1, 10}}));
}

TEST(Clustering, IsTheSameForManyPiecesAsForFew) {
  Conversation voices(4);
  Labels expected;
  for (int round = 0; round < 60; ++round) {
    const int voice = round % 5;
    voices.say(voice, 40);
    expected.insert(expected.end(), 40, voice);
  }
  EXPECT_EQ(cluster_speakers(voices.embeddings(), size), expected);
}

TEST(Clustering, TakesAPieceWhoseNumbersAreNotFinite) {
  Conversation voices(5);
  voices.say(0, 10);
  voices.say(1, 10);
  std::vector<float> embeddings = voices.embeddings();
  embeddings[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(cluster_speakers(embeddings, size).size(), 20U);
}

TEST(Clustering, OfOnePieceIsOneSpeaker) {
  Conversation voices(6);
  voices.say(3, 1);
  EXPECT_EQ(cluster_speakers(voices.embeddings(), size), Labels{0});
}

}  // namespace
}  // namespace engine
