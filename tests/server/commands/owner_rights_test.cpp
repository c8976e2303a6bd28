#include "server/commands/owner_rights.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr uid_t ada = 4321, bob = 4322;

// Folders below one that everybody may enter. Only root can give them away.
class OwnerRights : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root works in folders of others";
    ::chmod(folder_.path().c_str(), 0755);
  }

  fs::path make(const std::string& name, uid_t owner, mode_t mode = 0755) {
    const fs::path path = folder_ / name;
    fs::create_directories(path);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(::chown(path.c_str(), owner, owner), 0);
    return path;
  }
  // Returns what the child says that works there: its user and its group, or the error.
  static std::string seen_by(const fs::path& folder) {
    const auto done = call_as_owner_of(folder, [] {
      return Result<void>(Error{"ids",
                                std::to_string(::getuid()) + ":" + std::to_string(::getgid()),
                                std::to_string(::getgroups(0, nullptr))});
    });
    return done.error().code + " " + done.error().message;
  }

  test::TemporaryFolder folder_{};
};

TEST_F(OwnerRights, AreThoseOfWhoseTheFolderIs) {
  EXPECT_EQ(seen_by(make("adas", ada)), "ids 4321:4321");
  EXPECT_EQ(seen_by(make("roots", 0)), "ids 0:0");
  EXPECT_EQ(seen_by(folder_ / "adas" / "not" / "there"), "ids 4321:4321");
  EXPECT_EQ(seen_by(folder_ / "roots" / "not" / "there"), "ids 0:0");
}

TEST_F(OwnerRights, AreThoseOfWhoeverCanReplaceTheFolder) {
  const fs::path adas = make("adas", ada);
  make("adas/bobs", bob);
  EXPECT_EQ(seen_by(adas / "bobs").substr(0, 13), "no_permission");
  make("adas/roots", 0);
  EXPECT_EQ(seen_by(adas / "roots").substr(0, 13), "no_permission");
  fs::create_directory_symlink(make("roots", 0), adas / "link");
  ASSERT_EQ(::lchown((adas / "link").c_str(), 0, 0), 0);
  EXPECT_EQ(seen_by(adas / "link").substr(0, 13), "no_permission");
}

TEST_F(OwnerRights, FollowLinksThatAreRootsAlone) {
  fs::create_directory_symlink(make("adas", ada), folder_ / "to_adas");
  EXPECT_EQ(seen_by(folder_ / "to_adas"), "ids 4321:4321");
  fs::create_directory_symlink("../" + folder_.path().filename().string() + "/roots",
                               folder_ / "to_roots");
  make("roots", 0);
  EXPECT_EQ(seen_by(folder_ / "to_roots"), "ids 0:0");
  ASSERT_EQ(::lchown((folder_ / "to_roots").c_str(), ada, ada), 0);
  EXPECT_EQ(seen_by(folder_ / "to_roots").substr(0, 13), "no_permission");
  fs::create_symlink("round", folder_ / "round");
  EXPECT_EQ(seen_by(folder_ / "round").substr(0, 8), "io_error");
}

TEST_F(OwnerRights, AreNoneWhereEverybodyCanWrite) {
  const fs::path open = make("open", 0, 0777);
  EXPECT_EQ(seen_by(open / "new").substr(0, 13), "no_permission");
  const fs::path sticky = make("sticky", 0, 01777);
  EXPECT_EQ(seen_by(sticky / "new").substr(0, 13), "no_permission");
  make("sticky/roots", 0);
  EXPECT_EQ(seen_by(sticky / "roots"), "ids 0:0");
  make("sticky/adas", ada);
  EXPECT_EQ(seen_by(sticky / "adas"), "ids 4321:4321");
}

TEST_F(OwnerRights, OfAChildOpenNothingThatIsRoots) {
  const fs::path adas = make("adas", ada), secret = folder_ / "secret";
  test::write_text(secret, "root's");
  ::chmod(secret.c_str(), 0600);
  fs::create_symlink(secret, adas / "jobs.sqlite");
  std::string read = "nothing";
  const auto done = call_as_owner_of(adas, [&] {
    read = test::read_text(adas / "jobs.sqlite");
    return read.empty() ? Result<void>() : Result<void>(Error{"read", read, ""});
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(read, "nothing") << "the work is another process's";
  EXPECT_EQ(::geteuid(), 0U);
}

TEST_F(OwnerRights, AreGivenUpForGood) {
  const fs::path adas = make("adas", ada);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool done = become_owner_of(adas).has_value();
    const bool is_back = ::setuid(0) == 0 || ::seteuid(0) == 0 || ::setgid(0) == 0;
    ::_exit(done && !is_back && ::getuid() == ada && ::getgroups(0, nullptr) <= 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(OwnerRights, AServerOfRootStaysOutOfAnothersFolder) {
  EXPECT_TRUE(check_owner_of(make("roots", 0)));
  EXPECT_TRUE(check_owner_of(folder_ / "none"));
  EXPECT_EQ(check_owner_of(make("adas", ada)).error().code, "no_permission");
}

TEST(OwnerRightsOfOthers, AreTheirOwn) {
  if (::geteuid() == 0) GTEST_SKIP() << "root takes the rights of others";
  const test::TemporaryFolder folder;
  const auto done = call_as_owner_of("/", [] { return Result<void>(Error{"here", "", ""}); });
  EXPECT_EQ(done.error().code, "here");
  EXPECT_TRUE(check_owner_of("/"));
}

}  // namespace
}  // namespace server
