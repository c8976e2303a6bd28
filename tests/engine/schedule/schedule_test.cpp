#include "engine/schedule/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace engine {
namespace {

using protocol::WorkClass;

constexpr Urgency clip{WorkClass::interactive, 0};
constexpr Urgency file{WorkClass::background, 0};
constexpr Held none{};

WaitingPiece piece(std::uint64_t number, Urgency urgency, bool takes_window = false) {
  return {number, urgency, takes_window};
}

// The numbers of what goes in before the step of one round.
std::vector<int> round(Schedule& schedule, std::vector<WaitingPiece>& waiting,
                       const Held& held = none, bool urgent_decodes = false) {
  std::vector<int> order;
  schedule.begin_round();
  while (const auto next = schedule.next(waiting, held, urgent_decodes)) {
    order.push_back(static_cast<int>(waiting[*next].number));
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(*next));
  }
  return order;
}

TEST(Urgency, IsOfShortRecordingsThatSomebodyWaitsFor) {
  EXPECT_TRUE(is_urgent({WorkClass::live, 10'000}));
  EXPECT_TRUE(is_urgent({WorkClass::interactive, 0}));
  EXPECT_TRUE(is_urgent({WorkClass::interactive, 3}));
  EXPECT_FALSE(is_urgent({WorkClass::interactive, 4}));
  EXPECT_FALSE(is_urgent({WorkClass::background, 0}));
}

TEST(Schedule, TakesEverythingAsItComesWhereNothingIsUrgent) {
  Schedule schedule({}, false);
  std::vector waiting{piece(1, file), piece(2, file), piece(3, {WorkClass::interactive, 9})};
  EXPECT_EQ(round(schedule, waiting), (std::vector{1, 2, 3}));
}

TEST(Schedule, PutsWhatIsUrgentBeforeTheRestWhichWaitsUntilItHasItsRound) {
  Schedule schedule({}, false);
  std::vector waiting{piece(1, file), piece(2, clip), piece(3, {WorkClass::live, 50}),
                      piece(4, file)};
  EXPECT_EQ(round(schedule, waiting, none, true), (std::vector{3, 2}));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(round(schedule, waiting, none, true), std::vector<int>{});
  EXPECT_FALSE(schedule.all_step());
  EXPECT_EQ(round(schedule, waiting, none, true), std::vector{1}) << "one piece, not all of them";
  EXPECT_TRUE(schedule.all_step());
  EXPECT_EQ(round(schedule, waiting), std::vector{4}) << "the urgent decodes have ended";
}

TEST(Schedule, HoldsTheRestBackWhileAnUrgentWindowIsBetweenTwoPieces) {
  Schedule schedule({}, false);
  std::vector waiting{piece(1, file)};
  EXPECT_EQ(round(schedule, waiting, {.urgent = 1}), std::vector<int>{});
  EXPECT_EQ(round(schedule, waiting, none), std::vector{1});
}

TEST(Schedule, LetsShortRecordingsPassThoseThatHaveHadMoreButNotForEver) {
  Schedule schedule({}, false);
  std::vector<WaitingPiece> waiting{piece(100, {WorkClass::interactive, 3})};
  for (int i = 101; i <= 140; ++i) waiting.push_back(piece(i, clip));
  const auto order = round(schedule, waiting);
  EXPECT_EQ(order.front(), 101);
  const auto place = std::ranges::find(order, 100) - order.begin();
  EXPECT_EQ(place, 23) << "eight for each of its three windows";
}

TEST(Schedule, OwnersTakeTurnsAmongWhatIsLive) {
  Schedule schedule({}, false);
  const Urgency bob{WorkClass::live, 90, 0xb0b}, eve{WorkClass::live, 2, 0xe5e};
  std::vector waiting{piece(1, bob, true), piece(2, bob, true), piece(3, bob, false),
                      piece(4, eve, true)};
  const Held held{.urgent = 2, .owners = {0xb0b, 0xb0b}};
  EXPECT_EQ(round(schedule, waiting, held), (std::vector{3, 4, 1, 2}))
      << "what holds no window ends a look that is under way";
}

TEST(Schedule, StepsEverythingTogetherWhereThatCostsNothing) {
  Schedule schedule({}, true);
  schedule.begin_round();
  EXPECT_TRUE(schedule.all_step());
}

TEST(Schedule, GivesWindowsOnlyWhileThereAreSomeAndKeepsSomeForEachSide) {
  struct Case {
    Held held;
    Urgency urgency;
    bool enters;
  };
  const std::vector<Case> cases{
      {{0, 3}, file, true},  {{0, 4}, file, false}, {{0, 4}, clip, true},  {{1, 4}, clip, true},
      {{2, 4}, clip, false}, {{4, 0}, clip, true},  {{5, 0}, clip, false}, {{5, 0}, file, true},
      {{5, 1}, file, false}, {{3, 3}, file, false},
  };
  for (const auto& [held, urgency, enters] : cases) {
    Schedule schedule({.windows = 4, .urgent_windows = 2}, false);
    // This is the round that is open to all.
    for (int i = 0; i < 8; ++i) schedule.begin_round();
    const std::vector waiting{piece(1, urgency, true)};
    EXPECT_EQ(schedule.next(waiting, held, true).has_value(), enters)
        << held.urgent << " urgent, " << held.others << " others, " << name(urgency.work_class);
    const std::vector without{piece(1, urgency, false)};
    EXPECT_TRUE(schedule.next(without, held, true) || enters) << "what holds no window goes in";
  }
}

TEST(Schedule, WhereThereIsOnePlaceAloneEitherSideMayHaveIt) {
  for (const Urgency urgency : {clip, file}) {
    Schedule schedule({.windows = 1}, true);
    std::vector waiting{piece(1, urgency, true)};
    EXPECT_EQ(round(schedule, waiting, none), std::vector{1});
    waiting = {piece(2, urgency, true)};
    EXPECT_EQ(round(schedule, waiting, {.others = 1}), std::vector<int>{});
    EXPECT_EQ(round(schedule, waiting, {.urgent = 1}), std::vector<int>{});
  }
}

WaitingPiece decode(std::uint64_t number, Urgency urgency, int rows) {
  return {number, urgency, false, rows};
}

// A place has 1500 positions; short windows take 500 of them.
WaitingPiece short_piece(std::uint64_t number, Urgency urgency) {
  return {number, urgency, /*takes_window=*/true, /*rows=*/0, /*spared=*/1000};
}

TEST(Schedule, ShortWindowsShareAPlace) {
  const Places places{.windows = 1, .urgent_windows = 1, .window_positions = 1500};
  Schedule schedule(places, false);
  std::vector<WaitingPiece> others{short_piece(1, file)};
  const Held two_others{.others = 2, .other_spared = 2000};
  EXPECT_EQ(round(schedule, others, two_others), std::vector{1}) << "a third one fits";
  others = {short_piece(1, file)};
  const Held three_others{.others = 3, .other_spared = 3000};
  EXPECT_EQ(round(schedule, others, three_others), std::vector<int>{});
  std::vector<WaitingPiece> urgent{short_piece(2, clip)};
  EXPECT_EQ(schedule.next(urgent, three_others, false), 0U) << "the other place is for it";
  const Held full{.urgent = 3, .others = 3, .urgent_spared = 3000, .other_spared = 3000};
  EXPECT_EQ(schedule.next(urgent, full, false), std::nullopt);
}

TEST(Schedule, ShortWindowsDoNotPassAFullOneOfTheirKind) {
  const Places places{.windows = 2, .urgent_windows = 0, .window_positions = 1500};
  for (const Urgency& urgency : {clip, file}) {
    const bool is_clip = is_urgent(urgency);
    Held held{.urgent = is_clip ? 2 : 0, .others = is_clip ? 0 : 4};
    (is_clip ? held.urgent_spared : held.other_spared) = is_clip ? 2000 : 4000;
    Schedule schedule(places, false);
    std::vector waiting{piece(1, urgency, true), short_piece(2, urgency)};
    EXPECT_EQ(schedule.next(waiting, held, false), std::nullopt) << is_clip;
    waiting.erase(waiting.begin());
    EXPECT_EQ(schedule.next(waiting, held, false), 0U) << "it has room itself";
  }
}

TEST(Schedule, ADecodeWaitsForAllOfItsRowsAndIsNotPassedByThoseThatNeedFewer) {
  Schedule schedule({.rows = 8}, true);
  std::vector waiting{decode(1, file, 5), decode(2, file, 1), piece(3, file)};
  EXPECT_EQ(round(schedule, waiting, {.other_rows = 4}), std::vector{3});
  // The loop counts what went in; here all that is held stays the same.
  EXPECT_EQ(round(schedule, waiting, {.other_rows = 3}), (std::vector{1, 2}));
}

TEST(Schedule, UrgentDecodesHaveTheFirstRowsThatGetFree) {
  Schedule schedule({.rows = 8}, true);
  std::vector waiting{decode(1, file, 1), decode(2, clip, 5)};
  EXPECT_EQ(round(schedule, waiting, {.other_rows = 4}), std::vector<int>{});
  EXPECT_EQ(round(schedule, waiting, {.other_rows = 3}), (std::vector{2, 1}));
}

// Clips of five rows follow each other, so that a file would never find five of five rows free.
TEST(Schedule, ADecodeThatUrgentOnesPassBooksItsRowsWhenItsRoundHasCome) {
  Schedule schedule({.rows = 5}, true);
  std::vector waiting{decode(1, file, 5)};
  std::uint64_t number = 1;
  int rounds = 0;
  Held held;
  bool has_begun = false;
  while (!has_begun && ++rounds < 100) {
    if (rounds % 3 == 0) held = {};  // what was under way has ended
    waiting.push_back(decode(++number, clip, 5));
    schedule.begin_round();
    while (const auto next = schedule.next(waiting, held, held.urgent_rows > 0)) {
      has_begun |= waiting[*next].number == 1;
      held.urgent_rows += 5;
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(*next));
    }
    EXPECT_LE(held.urgent_rows, 5);
  }
  EXPECT_LE(rounds, 11) << "the open round, and the end of the clip that was under way";
  // No place is booked any more.
  held = {};
  EXPECT_TRUE(schedule.next(waiting, held, false));
}

TEST(Schedule, WhatWasBookedForACancelledDecodeIsFreeAgain) {
  Schedule schedule({.rows = 5}, true);
  std::vector waiting{decode(1, file, 5)};
  for (int i = 0; i < 8; ++i) round(schedule, waiting, {.urgent_rows = 5}, true);
  waiting = {decode(2, clip, 5)};
  EXPECT_EQ(round(schedule, waiting, {}), std::vector{2});
}

// Each round brings two new clips; files always wait.
TEST(Schedule, StarvesNobodyUnderAConstantLoad) {
  Schedule schedule({.windows = 2, .urgent_windows = 2}, false);
  std::vector<WaitingPiece> waiting;
  std::uint64_t number = 0;
  for (int i = 0; i < 10; ++i) waiting.push_back(piece(++number, file, true));
  int rounds = 0;
  int open_rounds = 0;
  const auto files_wait = [&] {
    return std::ranges::any_of(waiting, [](const auto& p) { return !is_urgent(p.urgency); });
  };
  while (files_wait() && rounds < 1000) {
    for (int i = 0; i < 2; ++i) waiting.push_back(piece(++number, clip, true));
    round(schedule, waiting, none, true);
    ++rounds;
    if (schedule.all_step()) ++open_rounds;
  }
  EXPECT_EQ(rounds, 80);
  EXPECT_EQ(open_rounds, 10);
  EXPECT_TRUE(waiting.empty());
}

// Decodes of so many rows that take steps together.
class Steps {
 public:
  explicit Steps(std::vector<int> rows, bool together = false) : schedule_({}, together) {
    for (const int count : rows) begin(count);
  }
  void begin(int rows, std::uint64_t owner = 0) {
    decodes_.push_back(schedule_.begin_steps(rows, owner));
  }
  std::vector<std::size_t> next() {
    std::vector<StepTurn*> turns;
    for (StepTurn& decode : decodes_) turns.push_back(&decode);
    const auto steps = schedule_.whose_step(turns);
    taken_.resize(decodes_.size());
    for (const std::size_t i : steps) ++taken_[i];
    return steps;
  }
  // Returns the most rows of a step, and counts steps.
  int run(int rounds) {
    int most = 0;
    for (int i = 0; i < rounds; ++i) {
      int rows = 0;
      for (const std::size_t at : next()) rows += decodes_[at].rows;
      most = std::max(most, rows);
    }
    return most;
  }
  const std::vector<int>& taken() const { return taken_; }

 private:
  Schedule schedule_;
  std::vector<StepTurn> decodes_;
  std::vector<int> taken_;
};

TEST(Schedule, UsualDecodesStepInEveryRound) {
  Steps steps({5, 1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5});
  steps.run(10);
  for (const int taken : steps.taken()) EXPECT_EQ(taken, 10);
}

TEST(Schedule, ADecodeOfManyRowsStepsAsOftenAsItsRowsAreUsualOnes) {
  Steps steps({5, 10, 100, 12});
  steps.run(60);
  EXPECT_EQ(steps.taken(), (std::vector{60, 30, 3, 20}));
}

TEST(Schedule, SeveralOfManyRowsDoNotAllStepAtOnce) {
  Steps steps({5, 20, 20, 20, 20, 100, 100});
  EXPECT_LE(steps.run(1), 48);
  EXPECT_LE(steps.run(100), 105) << "one of 100 rows goes beside usual ones alone";
  EXPECT_EQ(steps.taken()[0], 101);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(steps.taken()[i], 20) << i;
  for (std::size_t i = 5; i < 7; ++i) EXPECT_GE(steps.taken()[i], 4) << i;
}

TEST(Schedule, WhereNoUsualDecodeIsThoseOfManyRowsDoNotWait) {
  Steps alone({100});
  alone.run(10);
  EXPECT_EQ(alone.taken(), std::vector{10});
  Steps four({10, 10, 10, 10});
  EXPECT_EQ(four.run(10), 40) << "together, as the device has places for them at once";
  EXPECT_EQ(four.taken(), (std::vector{10, 10, 10, 10}));
  Steps unlike({10, 40});
  unlike.run(80);
  EXPECT_EQ(unlike.taken()[0], 4 * unlike.taken()[1]);
}

TEST(Schedule, ADecodeThatBeginsDoesNotPassThoseThatWaitForTheirStep) {
  Steps steps({40, 40});
  steps.next();
  for (int i = 0; i < 40; ++i) {
    steps.begin(40);
    steps.next();
  }
  EXPECT_GE(steps.taken()[0], 2);
  EXPECT_GE(steps.taken()[1], 2);
}

TEST(Schedule, DecodesOfOneOwnerStepAsOftenAsTheirRowsAreAnothersUsualOnes) {
  Steps steps({10, 10, 10, 10});
  steps.begin(5, 1);
  EXPECT_LE(steps.run(80), 45);
  EXPECT_EQ(steps.taken(), (std::vector{10, 10, 10, 10, 80}));
  Steps usual({5, 5, 5, 5});
  usual.begin(5, 1);
  usual.run(40);
  EXPECT_EQ(usual.taken(), (std::vector{10, 10, 10, 10, 40}));
}

TEST(Schedule, WhoHasFewerWindowsUnderWayGoesFirst) {
  Schedule schedule({}, true);
  std::vector waiting{piece(1, {WorkClass::interactive, 0, 7}, true),
                      piece(2, {WorkClass::interactive, 0, 7}, true),
                      piece(3, {WorkClass::interactive, 0, 8}, true)};
  EXPECT_EQ(round(schedule, waiting, {.urgent = 1, .owners = {7}}), (std::vector{3, 1, 2}));
}

TEST(Schedule, NobodyBeginsAnotherWindowWhileSomebodyElseHasOneUnderWay) {
  const Urgency mine{WorkClass::interactive, 0, 7}, live{WorkClass::live, 0, 7};
  const std::vector pieces{piece(1, mine, true), piece(2, mine), piece(3, live, true)};
  const auto begun = [&](const Held& held, bool urgent_decodes, bool together = false) {
    Schedule schedule({}, together);
    auto waiting = pieces;
    std::vector<int> order;
    for (int i = 0; i < 20; ++i) {
      const auto some = round(schedule, waiting, held, urgent_decodes);
      order.insert(order.end(), some.begin(), some.end());
    }
    std::ranges::sort(order);
    return order;
  };
  const Held both{.urgent = 2, .owners = {7, 8}};
  const std::vector all{1, 2, 3}, no_window{2, 3};
  EXPECT_EQ(begun(both, true), no_window) << "the window of a live session does not wait";
  EXPECT_EQ(begun(both, false), all) << "nothing that is under way would come to its end";
  EXPECT_EQ(begun({.urgent = 2, .owners = {7, 7}}, true), all);
  EXPECT_EQ(begun({.urgent = 1, .owners = {8}}, true), all);
  EXPECT_EQ(begun(both, true, true), all) << "on a GPU windows of a batch cost little";
}

TEST(Schedule, RowsCostNoTimeWhereAllStepTogether) {
  Steps steps({5, 100, 40}, true);
  steps.run(10);
  EXPECT_EQ(steps.taken(), (std::vector{10, 10, 10}));
}

}  // namespace
}  // namespace engine
