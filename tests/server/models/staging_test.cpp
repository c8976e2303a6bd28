#include "server/models/staging.h"

#include <gtest/gtest.h>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryStore;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Publish, MovesTheStagedFolderIntoTheStore) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "weights"));
  EXPECT_EQ(text_of(here.root() / "base" / "model.bin"), "weights");
  EXPECT_TRUE(fs::exists(here.root() / "base" / manifest_file));
  EXPECT_FALSE(fs::exists(partial_folder(here.root()) / "base" / "test"));
}

TEST(Publish, ReplacesWhatIsThere) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "old"));
  testing::write(here.root() / "base" / "left-over", "of another source");
  ASSERT_TRUE(here.install("base", "new"));
  EXPECT_EQ(text_of(here.root() / "base" / "model.bin"), "new");
  EXPECT_FALSE(fs::exists(here.root() / "base" / "left-over"));
  EXPECT_FALSE(fs::exists(partial_folder(here.root()) / "base" / "test"));
}

TEST(Publish, KeepsTheOldModelWhereAFileIsMissing) {
  TemporaryStore here;
  ASSERT_TRUE(here.install("base", "old"));
  const fs::path staged = partial_folder(here.root()) / "base" / "test";
  fs::create_directories(staged);
  const Manifest manifest{"base", "ggml", "hub", "", utc_now(), {}, {{"model.bin", 3, "aa"}}};
  EXPECT_FALSE(publish(staged, manifest, here.root()));
  EXPECT_EQ(text_of(here.root() / "base" / "model.bin"), "old");
}

TEST(Publish, LeavesOutWhatTheManifestDoesNotName) {
  TemporaryStore here;
  testing::write(partial_folder(here.root()) / "base" / "test" / "old-shard", "x");
  ASSERT_TRUE(here.install("base", "weights"));
  EXPECT_FALSE(fs::exists(here.root() / "base" / "old-shard"));
}

TEST(RequireSpace, SaysHowMuchIsNeeded) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(require_space(folder.path(), 1));
  const auto room = require_space(folder.path(), std::uint64_t{1} << 60);
  ASSERT_FALSE(room);
  EXPECT_EQ(room.error().code, StoreErrc::out_of_disk);
  EXPECT_NE(room.error().message.find("1152921504606 MB needed"), std::string::npos)
      << room.error().message;
}

}  // namespace
}  // namespace server
