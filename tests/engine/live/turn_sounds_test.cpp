#include "engine/live/turn_sounds.h"

#include <gtest/gtest.h>

#include <utility>

namespace engine {
namespace {

// Gives what it is told to, at once.
class ToldSource final : public LiveSource {
 public:
  Result<std::vector<live::Piece>> take(std::chrono::milliseconds) override {
    return std::exchange(pieces, {});
  }
  bool is_ahead() const override { return ahead; }
  void note_sentence_end(bool ends_sentence) override { noted = ends_sentence; }

  std::vector<live::Piece> pieces;
  bool noted = false;
  bool ahead = false;
};

TEST(TurnSounds, KeepsTheBeginOfEachTurnUntilItIsGivenUp) {
  ToldSource source;
  TurnSounds sounds(source, 3);
  source.pieces = {live::TurnBegan{1}, live::Sound{1, 0, {1, 2}}, live::TurnEnded{1},
                   live::TurnBegan{2}, live::Sound{2, 2, {3}}};
  EXPECT_EQ(sounds.take({}).value().size(), 5u);
  source.pieces = {live::Sound{2, 3, {4, 5, 6}}, live::Sound{2, 6, {7}}, live::TurnBegan{3},
                   live::Sound{3, 7, {8}}};
  EXPECT_EQ(sounds.take({}).value().size(), 4u);
  EXPECT_EQ(sounds.give_up(2), (std::vector<float>{3, 4, 5}));
  EXPECT_TRUE(sounds.give_up(2).empty());
  EXPECT_TRUE(sounds.give_up(1).empty()) << "it was before the second";
  EXPECT_EQ(sounds.give_up(3), std::vector<float>{8});
}

TEST(TurnSounds, ForgetsADroppedTurn) {
  ToldSource source;
  TurnSounds sounds(source, 3);
  source.pieces = {live::TurnBegan{1}, live::Sound{1, 0, {1, 2}}, live::TurnDropped{1}};
  EXPECT_TRUE(sounds.take({}).has_value());
  EXPECT_TRUE(sounds.give_up(1).empty());
}

TEST(TurnSounds, SaysOfThePaceWhatItsSourceDoes) {
  ToldSource source;
  const TurnSounds sounds(source, 3);
  EXPECT_FALSE(sounds.is_ahead());
  source.ahead = true;
  EXPECT_TRUE(sounds.is_ahead());
}

TEST(TurnSounds, HandsOnWhatTheTextSays) {
  ToldSource source;
  TurnSounds sounds(source, 3);
  sounds.note_sentence_end(true);
  EXPECT_TRUE(source.noted);
}

}  // namespace
}  // namespace engine
