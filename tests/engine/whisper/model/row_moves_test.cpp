#include "engine/whisper/model/row_moves.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using Ints = std::vector<int>;

struct Case {
  const char* name;
  Ints slots;
  Ints sources;
  Ints after;
  Ints from;
  Ints to;
};

TEST(MoveRows, CopiesOnlyWhatIsContinuedTwice) {
  const Case cases[] = {
      {"nothing moves", {4, 5, 6}, {0, 1, 2}, {4, 5, 6}, {}, {}},
      {"rows swap without a copy", {4, 5, 6}, {2, 0, 1}, {6, 4, 5}, {}, {}},
      {"one goes on twice", {4, 5, 6}, {1, 1, 2}, {5, 4, 6}, {5}, {4}},
      {"one goes on in all", {4, 5, 6}, {2, 2, 2}, {6, 5, 4}, {6, 6}, {5, 4}},
      {"two go on twice", {4, 5, 6, 7}, {3, 0, 3, 0}, {7, 4, 6, 5}, {7, 4}, {6, 5}},
  };
  for (const Case& c : cases) {
    const RowMoves moves = move_rows(c.slots, c.sources);
    EXPECT_EQ(moves.slots, c.after) << c.name;
    EXPECT_EQ(moves.from, c.from) << c.name;
    EXPECT_EQ(moves.to, c.to) << c.name;
  }
}

}  // namespace
}  // namespace engine
