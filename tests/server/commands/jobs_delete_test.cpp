#include "server/commands/jobs_delete.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(Ages, HaveAUnit) {
  EXPECT_EQ(read_age("30d"), 30 * 86400.0);
  EXPECT_EQ(read_age("1.5h"), 5400.0);
  EXPECT_EQ(read_age("90m"), 5400.0);
  for (const char* wrong : {"", "30", "d", "0d", "-1d", "nan d", "30days", "1s"}) {
    EXPECT_EQ(read_age(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace server
