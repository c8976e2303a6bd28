#include "server/transcription/clock_text.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(ClockText, HasHoursOnlyWhereThereAreSome) {
  EXPECT_EQ(clock_text(7.9), "0:07");
  EXPECT_EQ(clock_text(250), "4:10");
  EXPECT_EQ(clock_text(3723), "1:02:03");
  EXPECT_EQ(clock_text(-1), "0:00");
}

}  // namespace
}  // namespace server
