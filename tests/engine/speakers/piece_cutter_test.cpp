#include "engine/speakers/piece_cutter.h"

#include <gtest/gtest.h>

#include "engine/speakers/frames.h"

namespace engine {
namespace {

// Cuts a recording in which one voice speaks from `begin` to `end` (frames).
std::vector<Piece> pieces_of(std::int64_t begin, std::int64_t end) {
  PieceCutter cutter;
  std::vector<Piece> pieces;
  for (std::int64_t frame = 0; frame < end + 10; ++frame) {
    cutter.push(frame >= begin && frame < end, pieces);
  }
  cutter.finish(pieces);
  return pieces;
}

TEST(PieceCutter, CutsAPieceEveryPointSixSecondsAndALastThatEndsWithTheStretch) {
  const auto pieces = pieces_of(100, 300);  // 3.375 s
  const double begin = frame_time(100);
  const double end = frame_time(300);
  ASSERT_EQ(pieces.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(pieces[i].begin, begin + 0.6 * static_cast<double>(i), 1e-9);
    EXPECT_NEAR(pieces[i].end, pieces[i].begin + 1.5, 1e-9);
  }
  EXPECT_NEAR(pieces[4].begin, end - 1.5, 1e-9);
  EXPECT_EQ(pieces[4].end, end);
}

TEST(PieceCutter, TakesAShortStretchWhole) {
  EXPECT_EQ(pieces_of(100, 150), (std::vector<Piece>{{frame_time(100), frame_time(150)}}));
}

TEST(PieceCutter, LeavesOutWhatIsTooShort) {
  EXPECT_EQ(pieces_of(100, 123).size(), 0U);  // 0.388 s
  EXPECT_EQ(pieces_of(100, 124).size(), 1U);  // 0.405 s
}

TEST(PieceCutter, CutsAPieceAsSoonAsTheVoiceGoesOnBeyondIt) {
  PieceCutter cutter;
  std::vector<Piece> pieces;
  while (pieces.empty()) cutter.push(true, pieces);
  EXPECT_EQ(cutter.frames(), 89);  // 1.502 s
}

TEST(PieceCutter, EndsWithTheRecording) {
  PieceCutter cutter;
  std::vector<Piece> pieces;
  cutter.end_at(1.0);
  for (int frame = 0; frame < 589; ++frame) cutter.push(true, pieces);
  cutter.finish(pieces);
  EXPECT_EQ(pieces, (std::vector<Piece>{{frame_time(0), 1.0}}));
}

}  // namespace
}  // namespace engine
