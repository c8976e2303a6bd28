#include "server/live/shifted_event.h"

#include <gtest/gtest.h>

#include <variant>

namespace server {
namespace {

constexpr SessionShift shift{.seconds = 10, .turns = 3};

TEST(ShiftedEvent, TimesAndTurnsGoOnWhereTheLastSessionEnded) {
  const auto started = std::get<protocol::SpeechStarted>(
      shifted(protocol::SpeechStarted{.turn = 1, .start_s = 0.5}, shift));
  EXPECT_EQ(started, (protocol::SpeechStarted{.turn = 4, .start_s = 10.5}));
  const auto ended = std::get<protocol::TurnEnded>(shifted(
      protocol::TurnEnded{
          .turn = 2, .start_s = 1, .end_s = 2, .text = "one", .words = {{1, 2, " one"}}},
      shift));
  EXPECT_EQ(
      ended,
      (protocol::TurnEnded{
          .turn = 5, .start_s = 11, .end_s = 12, .text = "one", .words = {{11, 12, " one"}}}));
  const auto words = std::get<protocol::LiveWords>(
      shifted(protocol::LiveWords{.turn = 1, .words = {{0, 1, " a"}}}, shift));
  EXPECT_EQ(words, (protocol::LiveWords{.turn = 4, .words = {{10, 11, " a"}}}));
  const auto text = std::get<protocol::LiveText>(shifted(protocol::LiveText{2, "a", "b"}, shift));
  EXPECT_EQ(text, (protocol::LiveText{12, "a", "b"}));
}

TEST(ShiftedEvent, KnowsWhichTurnAnEventIsAbout) {
  EXPECT_EQ(turn_of(protocol::TurnEnded{.turn = 7}), 7);
  EXPECT_EQ(turn_of(protocol::LiveText{}), 0);
}

}  // namespace
}  // namespace server
