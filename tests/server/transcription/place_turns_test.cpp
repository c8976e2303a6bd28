#include "server/transcription/place_turns.h"

#include <gtest/gtest.h>

#include <array>

namespace server {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds turn{10'000};

HeldPlace held(double seconds, bool gives_way = true) {
  return {.held = duration<double>(seconds), .gives_way = gives_way};
}

TEST(PlaceTurns, BackgroundCallsMakeWayForAClientAfterATurn) {
  EXPECT_FALSE(place_to_give_up(std::array{held(9)}, true, turn));
  EXPECT_EQ(place_to_give_up(std::array{held(10)}, true, turn), 0U);
}

TEST(PlaceTurns, BackgroundCallsHaveALongerTurnAmongThemselves) {
  EXPECT_FALSE(place_to_give_up(std::array{held(59)}, false, turn));
  EXPECT_EQ(place_to_give_up(std::array{held(60)}, false, turn), 0U);
}

TEST(PlaceTurns, ACallThatAClientWaitsForHasALongerTurn) {
  HeldPlace place = held(59);
  place.is_waited_for = true;
  EXPECT_FALSE(place_to_give_up(std::array{place}, true, turn));
  place.held = duration<double>(60);
  EXPECT_EQ(place_to_give_up(std::array{place}, true, turn), 0U);
}

TEST(PlaceTurns, AModelThatIsSlowToLoadHasALongerTurn) {
  HeldPlace place = held(49);
  place.loading = duration<double>(10);
  EXPECT_FALSE(place_to_give_up(std::array{place}, true, turn));
  place.held = duration<double>(50);
  EXPECT_EQ(place_to_give_up(std::array{place}, true, turn), 0U);
}

TEST(PlaceTurns, TheLongestTurnOfThoseThatGiveWayEnds) {
  EXPECT_EQ(place_to_give_up(std::array{held(20), held(30), held(40, false)}, true, turn), 1U);
  EXPECT_FALSE(place_to_give_up(std::array{held(40, false)}, true, turn));
  EXPECT_FALSE(place_to_give_up({}, true, turn));
}

}  // namespace
}  // namespace server
