#include "server/transcription/place_turns.h"

#include <gtest/gtest.h>

#include <array>

namespace server {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr TurnLengths lengths{.turn = milliseconds(10'000),
                              .longer = 6,
                              .late = milliseconds(30'000),
                              .latest = milliseconds(120'000)};
constexpr PlaceWanted by_client{.by_client = true};

HeldPlace held(double seconds, bool gives_way = true) {
  return {.held = duration<double>(seconds),
          .is_ready = gives_way,
          .gives_way = gives_way,
          .can_be_ended = gives_way};
}

// Returns a place whose calls get no further, but can be ended.
HeldPlace not_ready(double seconds, int ended_early = 0) {
  return {.held = duration<double>(seconds), .can_be_ended = true, .ended_early = ended_early};
}

bool gives_up(HeldPlace place, PlaceWanted wanted = by_client) {
  return place_to_give_up(std::array{place}, wanted, lengths).has_value();
}

TEST(PlaceTurns, BackgroundCallsMakeWayForAClientAfterATurn) {
  EXPECT_FALSE(gives_up(held(9)));
  EXPECT_TRUE(gives_up(held(10)));
}

TEST(PlaceTurns, BackgroundCallsHaveALongerTurnAmongThemselves) {
  EXPECT_FALSE(gives_up(held(59), {}));
  EXPECT_TRUE(gives_up(held(60), {}));
}

TEST(PlaceTurns, ACallThatAClientWaitsForHasALongerTurn) {
  HeldPlace place = held(59);
  place.is_waited_for = true;
  EXPECT_FALSE(gives_up(place));
  place.held = duration<double>(60);
  EXPECT_TRUE(gives_up(place));
}

TEST(PlaceTurns, AnOwnerOfSeveralModelsMakesWayForOneWithoutAPlaceAfterATurn) {
  HeldPlace place = held(10);
  place.is_waited_for = place.owners_have_more = true;
  const PlaceWanted by_new_owner{.by_client = true, .by_new_owner = true};
  EXPECT_FALSE(gives_up(place));
  EXPECT_TRUE(gives_up(place, by_new_owner));
  place.owners_have_more = false;
  EXPECT_FALSE(gives_up(place, by_new_owner)) << "each has one";
}

TEST(PlaceTurns, AModelThatIsSlowToLoadHasALongerTurn) {
  HeldPlace place = held(49);
  place.loading = duration<double>(10);
  EXPECT_FALSE(gives_up(place));
  place.held = duration<double>(50);
  EXPECT_TRUE(gives_up(place));
}

TEST(PlaceTurns, TheLongestTurnOfThoseThatGiveWayEnds) {
  const std::array places{held(20), held(30), held(40, false)};
  EXPECT_EQ(place_to_give_up(places, by_client, lengths)->index, 1U);
  EXPECT_FALSE(gives_up(held(400, false)));
  EXPECT_FALSE(place_to_give_up({}, by_client, lengths));
}

TEST(PlaceTurns, CallsThatGetNoFurtherAreEndedWhenTheyAreLate) {
  EXPECT_FALSE(gives_up(not_ready(29)));
  const auto late = place_to_give_up(std::array{not_ready(30)}, by_client, lengths);
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->ends_now);
  EXPECT_FALSE(gives_up(not_ready(179), {}));
  EXPECT_TRUE(gives_up(not_ready(180), {})) << "among background calls";
}

TEST(PlaceTurns, CallsThatWereEndedEarlyHaveTwiceAsLongUpToALimit) {
  EXPECT_FALSE(gives_up(not_ready(59, 1)));
  EXPECT_TRUE(gives_up(not_ready(60, 1)));
  EXPECT_FALSE(gives_up(not_ready(119, 2)));
  for (const int often : {2, 3, 1000}) EXPECT_TRUE(gives_up(not_ready(120, often))) << often;
}

TEST(PlaceTurns, APlaceThatIsFreeNowComesBeforeOneThatMayBeSoon) {
  HeldPlace soon = held(29);
  soon.is_ready = false;
  const std::array places{soon, held(20)};
  const auto now = place_to_give_up(places, by_client, lengths);
  EXPECT_EQ(now->index, 1U);
  EXPECT_TRUE(now->ends_now);
  EXPECT_FALSE(place_to_give_up(std::array{soon}, by_client, lengths)->ends_now)
      << "nobody joins it";
}

}  // namespace
}  // namespace server
