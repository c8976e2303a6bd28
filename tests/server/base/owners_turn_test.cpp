#include "server/base/owners_turn.h"

#include <gtest/gtest.h>

#include <vector>

namespace server {
namespace {

TEST(OwnersTurn, TheFewestRunningThenTheLongestWithoutOneThenTheFirst) {
  struct Case {
    std::vector<WaitingOwner> owners;
    int most_running;
    std::int64_t first;  // `first` of the owner whose turn it is; 0: nobody's
  };
  const std::vector<Case> cases{
      {{}, 4, 0},
      {{{.first = 3}}, 4, 3},
      {{{.first = 3, .running = 3}, {.first = 9, .running = 1, .last_begun = 99}}, 4, 9},
      {{{.first = 3, .running = 1, .last_begun = 20}, {.first = 9, .running = 1, .last_begun = 10}},
       4,
       9},
      {{{.first = 9}, {.first = 3}}, 4, 3},
      {{{.first = 3, .running = 3}}, 3, 0},
      {{{.first = 3, .running = 5}, {.first = 4, .running = 3}}, 3, 0},
      {{{.first = 3, .running = 3}, {.first = 4, .running = 2}}, 3, 4},
  };
  for (const auto& c : cases) {
    const auto* next = owners_turn(c.owners, c.most_running);
    EXPECT_EQ(next ? next->first : 0, c.first) << "case " << &c - cases.data();
  }
}

TEST(OwnersTurn, WhereThereAreOthersOnePlaceIsKeptForThem) {
  EXPECT_EQ(most_running_of_one(4, false), 4);
  EXPECT_EQ(most_running_of_one(4, true), 3);
  EXPECT_EQ(most_running_of_one(2, true), 1);
  EXPECT_EQ(most_running_of_one(1, true), 1);
}

}  // namespace
}  // namespace server
