#include "server/commands/progress_line.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using protocol::worker::Progress;
using Seconds = std::chrono::duration<double>;

TEST(ProgressText, HasSpeedAndTimeLeft) {
  EXPECT_EQ(progress_text({"1", 250, 2160, "transcribing"}, Seconds(25)),
            "transcribing 4:10 of 36:00, 10.0x real time, 3:11 left");
}

TEST(ProgressText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(progress_text({"1", 250, 0, "transcribing"}, Seconds(25)),
            "transcribing 4:10, 10.0x real time");
  EXPECT_EQ(progress_text({"1", 0, 2160, "transcribing"}, Seconds(25)),
            "transcribing 0:00 of 36:00");
  EXPECT_EQ(progress_text({"1", 20, 2160, "transcribing"}, Seconds(0.1)),
            "transcribing 0:20 of 36:00");
}

TEST(ProgressText, ShowsNoSpeedWhileListening) {
  EXPECT_EQ(progress_text({"1", 250, 0, "listening"}, Seconds(25)), "listening 4:10");
}

}  // namespace
}  // namespace server
