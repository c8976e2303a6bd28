#include "server/daemon/part_settings.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(PartSettings, OneOfSeveralOwnersHasHalfOfEachTotal) {
  Config config;
  config.inputs.max_disk_bytes = 128LL << 30;
  config.inputs.max_disk_bytes_per_owner = 100LL << 30;
  config.inputs.max_uploads_bytes = 64LL << 30;
  config.jobs.max_waiting = 512;
  config.jobs.max_waiting_per_owner = 512;
  EXPECT_EQ(disk_limits(config, "/", {.names = 2}).per_owner, 64ULL << 30);
  EXPECT_EQ(uploads_bytes_of_one(config, true), 32ULL << 30);
  EXPECT_EQ(job_limits(config, {.names = 2}).max_waiting_per_owner, 256);
  EXPECT_EQ(disk_limits(config, "/").per_owner, 100ULL << 30) << "who is alone";
  EXPECT_EQ(uploads_bytes_of_one(config, false), 64ULL << 30);
  EXPECT_EQ(job_limits(config).max_waiting_per_owner, 512);
}

TEST(PartSettings, DefaultsLeaveHalfToOthers) {
  const Config config;
  EXPECT_EQ(disk_limits(config, "/", {.names = 2}).per_owner, 64ULL << 30);
  EXPECT_EQ(disk_limits(config, "/").total, 128ULL << 30);
  EXPECT_LE(job_limits(config, {.names = 2}).max_waiting_per_owner,
            job_limits(config).max_waiting / 2);
}

}  // namespace
}  // namespace server
