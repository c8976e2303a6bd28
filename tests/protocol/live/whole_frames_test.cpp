#include "protocol/live/whole_frames.h"

#include <gtest/gtest.h>

namespace protocol::live {
namespace {

TEST(WholeFrames, JoinWhatIsCutAnywhere) {
  WholeFrames frames;
  EXPECT_EQ(frames.take("abc", 2), "ab");
  EXPECT_EQ(frames.take("d", 2), "cd");
  EXPECT_EQ(frames.take("e", 2), "");
  EXPECT_EQ(frames.take("", 2), "");
  EXPECT_EQ(frames.take("fgh", 2), "efgh");
}

TEST(WholeFrames, HaveASampleOfEachChannel) {
  WholeFrames frames;
  EXPECT_EQ(frames.take("abcdef", 4), "abcd");
  EXPECT_EQ(frames.take("g", 4), "");
  EXPECT_EQ(frames.take("hi", 4), "efgh");
}

TEST(WholeFrames, ForgetTheRestWhereTheSoundEndsOrItsFormatChanges) {
  WholeFrames frames;
  EXPECT_EQ(frames.take("abc", 2), "ab");
  frames.drop();
  EXPECT_EQ(frames.take("de", 2), "de");
  EXPECT_EQ(frames.take("f", 2), "");
  EXPECT_EQ(frames.take("ghij", 4), "ghij");
}

}  // namespace
}  // namespace protocol::live
