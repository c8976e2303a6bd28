#include "engine/live/live_pieces.h"

#include <gtest/gtest.h>

#include <thread>

namespace engine {
namespace {

using std::chrono::milliseconds;

live::Sound sound_of(int turn, std::int64_t begin, std::size_t samples, std::int64_t silent = 0) {
  return {turn, begin, std::vector<float>(samples, static_cast<float>(begin)), silent};
}

TEST(LivePieces, NeighbouringSoundOfATurnIsJoined) {
  LivePieces pieces;
  pieces.append(live::TurnBegan{1, 100});
  pieces.append(sound_of(1, 100, 10));
  pieces.append(sound_of(1, 110, 20, 5));
  pieces.append(live::TurnEnded{1, 130});
  pieces.append(sound_of(2, 130, 1));
  const auto taken = pieces.take(milliseconds(0), {}).value();
  ASSERT_EQ(taken.size(), 4u);
  const auto& joined = std::get<live::Sound>(taken[1]);
  EXPECT_EQ(joined.begin, 100);
  EXPECT_EQ(joined.samples.size(), 30u);
  EXPECT_EQ(joined.samples.back(), 110.0F);
  EXPECT_EQ(joined.silent, 5);
  EXPECT_TRUE(pieces.take(milliseconds(0), {}).value().empty());
}

TEST(LivePieces, WhoTakesWaitsForAPiece) {
  LivePieces pieces;
  std::jthread other([&] { pieces.append(live::Ended{7}); });
  const auto taken = pieces.take(std::chrono::minutes(1), {}).value();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(std::get<live::Ended>(taken[0]).samples, 7);
}

TEST(LivePieces, WhoAppendsWaitsForRoom) {
  LivePieces pieces;
  std::stop_source stop;
  EXPECT_TRUE(pieces.wait_for_room(stop.get_token()));
  pieces.append(sound_of(1, 0, LivePieces::most_samples));
  std::jthread other([&] { EXPECT_EQ(pieces.take(milliseconds(0), {}).value().size(), 1u); });
  EXPECT_TRUE(pieces.wait_for_room(stop.get_token()));
  for (std::size_t i = 0; i < LivePieces::most_pieces; ++i) pieces.append(live::TurnDropped{});
  stop.request_stop();
  EXPECT_FALSE(pieces.wait_for_room(stop.get_token()));
}

TEST(LivePieces, AnErrorComesBehindWhatWaits) {
  LivePieces pieces;
  pieces.append(live::TurnBegan{});
  pieces.fail({Errc::input_failed, "gone", ""});
  EXPECT_EQ(pieces.take(milliseconds(0), {}).value().size(), 1u);
  EXPECT_EQ(pieces.take(std::chrono::minutes(1), {}).error().code, Errc::input_failed);
}

TEST(LivePieces, AStopRequestEndsTheWaiting) {
  LivePieces pieces;
  std::stop_source stop;
  std::jthread other([&] { stop.request_stop(); });
  EXPECT_EQ(pieces.take(std::chrono::minutes(1), stop.get_token()).error().code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
