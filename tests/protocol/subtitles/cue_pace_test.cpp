#include "protocol/subtitles/cue_pace.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

std::vector<Cue> paced(std::vector<Cue> cues, double duration = 0) {
  pace_cues(cues, duration, {});
  return cues;
}

const std::string forty(40, 'x');  // two seconds at 20 columns a second

TEST(CuePace, MovesTheEndIntoSilenceUntilTheTextCanBeRead) {
  EXPECT_NEAR(paced({{.start = 1, .end = 1.5, .text = forty}})[0].end, 3, 1e-9);
  EXPECT_NEAR(paced({{.start = 1, .end = 1.1, .text = "x"}})[0].end, 1 + 5.0 / 6, 1e-9);
}

TEST(CuePace, LeavesTwoFramesBeforeTheNextCue) {
  const auto cues =
      paced({{.start = 0, .end = 2, .text = forty}, {.start = 2, .end = 4, .text = forty}});
  EXPECT_NEAR(cues[0].end, 1.92, 1e-9);
  EXPECT_EQ(cues[1].start, 2);
}

TEST(CuePace, ClosesAShortSilence) {
  const auto cues =
      paced({{.start = 0, .end = 2.6, .text = forty}, {.start = 3, .end = 5, .text = forty}});
  EXPECT_NEAR(cues[0].end, 2.92, 1e-9);
}

TEST(CuePace, LeavesALongSilenceOpen) {
  const auto cues =
      paced({{.start = 0, .end = 2.1, .text = forty}, {.start = 3, .end = 5, .text = forty}});
  EXPECT_NEAR(cues[0].end, 2.1, 1e-9);
}

TEST(CuePace, CountsBothLinesOfTwoSpeakers) {
  // 38 columns and the dash are two seconds each, and the break is a column, too.
  const std::string line(38, 'x');
  EXPECT_NEAR(
      paced({{.start = 1, .end = 1.5, .text = line, .reply = CueReply{.text = line}}})[0].end, 5.05,
      1e-9);
}

TEST(CuePace, ShowsNoCueLongerThanSevenSeconds) {
  EXPECT_NEAR(paced({{.start = 0, .end = 30, .text = forty}})[0].end, 7, 1e-9);
}

TEST(CuePace, EndsWithTheRecording) {
  EXPECT_NEAR(paced({{.start = 1, .end = 1.5, .text = forty}}, 2)[0].end, 2, 1e-9);
  EXPECT_NEAR(paced({{.start = 1, .end = 2, .text = forty}}, 2)[0].end, 2, 1e-9);
  EXPECT_NEAR(paced({{.start = 1, .end = 2.5, .text = "x"}}, 2)[0].end, 2.5, 1e-9);
}

}  // namespace
}  // namespace protocol::subtitles
