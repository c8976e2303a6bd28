#include "server/models/digest.h"

#include <gtest/gtest.h>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

TEST(Digest, KnowsTheStandardsExamples) {
  Hasher hasher(Digest::Kind::sha256, 3);
  hasher.update(std::string_view("ab"));
  hasher.update(std::string_view("c"));
  EXPECT_EQ(hasher.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, HashesAsGitDoes) {
  // This digest comes from: printf 'hello\n' | git hash-object --stdin
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / "f", "hello\n");
  EXPECT_EQ(*hash_file(folder.path() / "f", Digest::Kind::git_blob_sha1),
            "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST(Digest, NamesTheFileThatCannotBeRead) {
  const auto hash = hash_file("/nowhere/at/all", Digest::Kind::sha256);
  ASSERT_FALSE(hash);
  EXPECT_EQ(hash.error().code, StoreErrc::io);
  EXPECT_NE(hash.error().message.find("/nowhere/at/all"), std::string::npos);
}

TEST(Digest, StopsWhenAsked) {
  const testing::TemporaryFolder folder;
  testing::write(folder.path() / "f", "hello\n");
  std::stop_source stop;
  stop.request_stop();
  const auto hash = hash_file(folder.path() / "f", Digest::Kind::sha256, stop.get_token());
  ASSERT_FALSE(hash);
  EXPECT_EQ(hash.error().code, StoreErrc::cancelled);
}

}  // namespace
}  // namespace server
