#include "server/base/edit_distance.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(EditDistance, CountsInsertionsRemovalsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("trancribe", "transcribe"), 1U);
  EXPECT_EQ(edit_distance("transscribe", "transcribe"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, IsTheSameInBothDirections) {
  EXPECT_EQ(edit_distance("server.lissten", "server.listen"),
            edit_distance("server.listen", "server.lissten"));
}

}  // namespace
}  // namespace server
