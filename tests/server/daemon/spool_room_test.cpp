#include "server/daemon/spool_room.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace server {
namespace {

TEST(SpoolRoom, OfTheStateFoldersDiskStaysFreeForUploads) {
  EXPECT_EQ(spool_min_free(1LL << 40, "/", "/"), 1LL << 40);
}

TEST(SpoolRoom, OfASmallDiskOfItsOwnIsAPartOfIt) {
  constexpr char folder[] = "/dev";
  const auto size = static_cast<std::int64_t>(std::filesystem::space(folder).capacity);
  EXPECT_EQ(spool_min_free(1LL << 60, "/", folder), size / 20);
  EXPECT_EQ(spool_min_free(4096, "/", folder), 4096) << "of a large one no more than is asked for";
}

TEST(SpoolRoom, IsInTheFolderForTemporaryFiles) {
  const char* before = ::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", "/some/where", 1);
  EXPECT_EQ(worker_spool_folder(), "/some/where");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(worker_spool_folder(), "/var/tmp");
  if (before) ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace server
