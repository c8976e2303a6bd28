#include "server/api/job_request.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(JobRequest, OnlyWhoMayManageModelsSaysHowLongOneStays) {
  const Principal manager{"ada", {Right::transcribe, Right::manage}};
  const Principal other{"bob", {Right::transcribe, Right::read_status}};
  for (const double wish : {-1.0, 0.0, 1.0, 86400.0}) {
    EXPECT_EQ(granted_keep_alive(manager, wish), wish);
    EXPECT_EQ(granted_keep_alive(other, wish), std::nullopt);
  }
  EXPECT_EQ(granted_keep_alive(manager, std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace server
