#include "server/live/live_places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace server {
namespace {

using std::chrono::seconds;

class LivePlacesTest : public ::testing::Test {
 protected:
  std::string refusal(const std::string& principal) {
    auto place = places_->take(principal, now_);
    if (!place) return place.error().code;
    held_.push_back(*std::move(place));
    return "";
  }

  const LivePlaces::Time now_{seconds(1'000)};
  std::shared_ptr<LivePlaces> places_ =
      LivePlaces::make({.sessions = 4, .sessions_of_one = 2, .most_period_s = 3});
  std::vector<std::unique_ptr<LivePlace>> held_;
};

TEST_F(LivePlacesTest, NobodyTakesMoreThanTheirShareOrMoreThanThereAre) {
  EXPECT_EQ(refusal("ada"), "");
  EXPECT_EQ(refusal("ada"), "");
  EXPECT_EQ(refusal("ada"), errc::too_many_sessions);
  EXPECT_EQ(refusal("bob"), "");
  EXPECT_EQ(refusal("bob"), "");
  EXPECT_EQ(refusal("eve"), errc::overloaded);
  held_.pop_back();
  EXPECT_EQ(refusal("eve"), "");
  EXPECT_EQ(places_->taken(), 4u);
}

TEST_F(LivePlacesTest, LimitsThatChangeHoldForSessionsThatCome) {
  EXPECT_EQ(refusal("ada"), "");
  EXPECT_EQ(refusal("ada"), "");
  places_->set_limits({.sessions = 4, .sessions_of_one = 1});
  EXPECT_EQ(places_->taken_by("ada"), 2u);
  EXPECT_EQ(places_->taken_by("bob"), 0u);
  EXPECT_EQ(refusal("ada"), errc::too_many_sessions);
  EXPECT_EQ(refusal("bob"), "");
  EXPECT_EQ(refusal("bob"), errc::too_many_sessions);
}

TEST_F(LivePlacesTest, TheLagIsThatOfTheSlowestSessionInWhichSomebodySpeaks) {
  EXPECT_EQ(places_->lag_s(now_), 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(refusal("ada"), "");
  held_[0]->note_look(0.3, now_);
  held_[1]->note_look(0.5, now_);
  EXPECT_DOUBLE_EQ(places_->lag_s(now_), 0.5);
  held_[0]->note_look(0.2, now_ + seconds(11));
  EXPECT_DOUBLE_EQ(places_->lag_s(now_ + seconds(11)), 0.2);
  EXPECT_DOUBLE_EQ(places_->lag_s(now_ + seconds(30)), 0);
}

TEST_F(LivePlacesTest, OneMoreIsRefusedWhereAllWouldBeTooLate) {
  for (int i = 0; i < 2; ++i) ASSERT_EQ(refusal("ada"), "");
  for (const auto& place : held_) place->note_look(1.5, now_);
  EXPECT_DOUBLE_EQ(places_->period_s(now_), 1.875);
  EXPECT_DOUBLE_EQ(places_->period_with_one_more_s("ada", now_), 2.8125);
  EXPECT_EQ(refusal("bob"), "");
  for (const auto& place : held_) place->note_look(2.5, now_);
  EXPECT_EQ(refusal("eve"), errc::overloaded);
}

TEST_F(LivePlacesTest, TheOwnerWithTheMostSessionsIsRefusedAndOneWithNoneIsNot) {
  places_->set_limits({.sessions = 64, .sessions_of_one = 16, .most_period_s = 3});
  for (int i = 0; i < 8; ++i) ASSERT_EQ(refusal("bob"), "");
  for (const auto& place : held_) place->note_look(2.2, now_);
  EXPECT_EQ(refusal("bob"), errc::overloaded);
  // While each of eight sessions has a look, one of another owner may have one.
  EXPECT_DOUBLE_EQ(places_->period_with_one_more_s("eve", now_), 1.25 * 2.2 * 2 / 8);
  EXPECT_EQ(refusal("eve"), "");
  held_.back()->note_look(0.6, now_);
  EXPECT_EQ(refusal("bob"), errc::overloaded);
  EXPECT_DOUBLE_EQ(places_->period_with_one_more_s("eve", now_), 1.25 * 0.6 * 4 / 2);
  EXPECT_EQ(refusal("eve"), "") << "her second";
  EXPECT_EQ(refusal("ada"), "") << "and another's first";
}

TEST_F(LivePlacesTest, AnOwnerThatAlreadyWaitsLongIsRefusedForItsOwnSessionsAlone) {
  places_->set_limits({.sessions = 64, .sessions_of_one = 16, .most_period_s = 3});
  ASSERT_EQ(refusal("bob"), "");
  held_.back()->note_look(2.5, now_);
  ASSERT_EQ(refusal("eve"), errc::overloaded) << "one look takes two seconds";
  held_.back()->note_look(1, now_);
  ASSERT_EQ(refusal("eve"), "");
  held_.back()->note_look(2.3, now_);
  EXPECT_EQ(refusal("eve"), errc::overloaded);
  EXPECT_EQ(refusal("bob"), "");
}

TEST_F(LivePlacesTest, APlaceMayOutliveWhatItWasTakenFrom) {
  ASSERT_EQ(refusal("ada"), "");
  places_.reset();
  held_.clear();
}

}  // namespace
}  // namespace server
