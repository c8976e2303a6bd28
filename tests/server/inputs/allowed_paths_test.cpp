#include "server/inputs/allowed_paths.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace server {
namespace {

namespace fs = std::filesystem;

class AllowedPathsTest : public testing::Test {
 protected:
  AllowedPathsTest() {
    std::string name = fs::canonical(fs::temp_directory_path()) / "scribed-paths-XXXXXX";
    root_ = ::mkdtemp(name.data());
    fs::create_directories(root_ / "in" / "deep");
    fs::create_directories(root_ / "in2");
    for (const char* file : {"in/a.wav", "in/deep/b.wav", "in2/c.wav", "secret"}) {
      std::ofstream(root_ / file) << "x";
    }
    fs::create_symlink("a.wav", root_ / "in" / "near");
    fs::create_symlink("../secret", root_ / "in" / "far");
    fs::create_symlink(root_ / "secret", root_ / "in" / "absolute");
    fs::create_directory_symlink("..", root_ / "in" / "up");
    ::mkfifo((root_ / "in" / "fifo").c_str(), 0600);
  }
  ~AllowedPathsTest() override { fs::remove_all(root_); }

  std::string code(const std::string& path) const {
    const auto input = AllowedPaths({root_ / "in"}).open(path);
    return input ? "" : input.error().code;
  }

  fs::path root_;
};

TEST_F(AllowedPathsTest, OpensFilesBelowTheFolder) {
  for (const char* path : {"a.wav", "deep/b.wav", "./deep/../a.wav", "near"}) {
    EXPECT_EQ(code(path), "") << path;
    EXPECT_EQ(code(root_ / "in" / path), "") << path;
  }
}

TEST_F(AllowedPathsTest, RefusesWhatLiesOutside) {
  for (const std::string& path :
       {std::string("../secret"), std::string("../in2/c.wav"), std::string("deep/../../secret"),
        (root_ / "in2" / "c.wav").string(), (root_ / "secret").string(), std::string("/etc/passwd"),
        std::string("/proc/self/environ"), std::string("far"), std::string("absolute"),
        std::string("up/secret"), std::string("a.wav\0/../x", 10), std::string()}) {
    EXPECT_EQ(code(path), errc::input_unreadable) << path;
  }
}

TEST_F(AllowedPathsTest, RefusesWhatIsNoFileAndDoesNotWaitForIt) {
  EXPECT_EQ(code("deep"), errc::input_unreadable);
  EXPECT_EQ(code("fifo"), errc::input_unreadable);
  EXPECT_EQ(code("nothing"), errc::input_not_found);
}

TEST_F(AllowedPathsTest, WhatARelativePathMeansCanBeToldToOthers) {
  const AllowedPaths paths({root_ / "in", root_ / "in2"});
  EXPECT_EQ(paths.absolute("deep/../a.wav"), root_ / "in" / "a.wav");
  EXPECT_EQ(paths.absolute(root_ / "secret"), root_ / "secret");
  EXPECT_TRUE(paths.open(paths.absolute("a.wav")));
}

TEST_F(AllowedPathsTest, TellsItsFoldersButNoErrorRepeatsAPath) {
  const AllowedPaths paths({root_ / "in" / "deep" / "..", root_ / "in2"});
  EXPECT_EQ(paths.folders(), (std::vector<std::string>{root_ / "in", root_ / "in2"}));
  for (const char* path : {"/etc/obey me", "obey me", "../in2/obey me", "deep/obey me"}) {
    EXPECT_EQ(paths.open(path).error().message.find("obey me"), std::string::npos) << path;
  }
}

TEST_F(AllowedPathsTest, AFolderThatIsALinkIsTakenWhereItLeads) {
  fs::create_directory_symlink(root_ / "in2", root_ / "link");
  EXPECT_TRUE(AllowedPaths({root_ / "link"}).open((root_ / "in2" / "c.wav").string()));
}

TEST_F(AllowedPathsTest, WhoRenamesWhatLiesAboveDoesNotMoveTheFolder) {
  fs::create_directories(root_ / "above" / "in");
  std::ofstream(root_ / "above" / "in" / "mine.wav") << "x";
  const AllowedPaths paths({root_ / "above" / "in"});
  fs::rename(root_ / "above", root_ / "aside");
  fs::create_directories(root_ / "above");
  fs::rename(root_ / "in2", root_ / "above" / "in");
  EXPECT_TRUE(paths.open("mine.wav"));
  EXPECT_EQ(paths.open("c.wav").error().code, errc::input_not_found);
  fs::remove_all(root_ / "above" / "in");
  fs::create_directory_symlink(root_, root_ / "above" / "in");
  EXPECT_TRUE(paths.open((root_ / "above" / "in" / "mine.wav").string()));
  EXPECT_EQ(paths.open("secret").error().code, errc::input_not_found);
}

TEST_F(AllowedPathsTest, AFolderThatComesLaterIsHeldFromThenOn) {
  const AllowedPaths paths({root_ / "later"});
  EXPECT_EQ(paths.open("a.wav").error().code, errc::input_not_found);
  fs::create_directory_symlink(root_ / "in", root_ / "later");
  EXPECT_FALSE(paths.open("a.wav")) << "nobody has named what a link leads to";
  fs::remove(root_ / "later");
  fs::rename(root_ / "in", root_ / "later");
  EXPECT_TRUE(paths.open("a.wav"));
  fs::rename(root_ / "later", root_ / "in");
  fs::create_directory(root_ / "later");
  EXPECT_TRUE(paths.open("a.wav"));
}

TEST_F(AllowedPathsTest, WhatIsMountedLaterIsUsed) {
  const pid_t child = ::fork();
  if (child == 0) {
    const AllowedPaths paths({root_ / "in"});
    const auto user = std::to_string(::geteuid()), group = std::to_string(::getegid());
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ::_exit(77);
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(77);
    if (::mount("none", (root_ / "in").c_str(), "tmpfs", 0, nullptr) != 0) ::_exit(77);
    std::ofstream(root_ / "in" / "mounted.wav") << "x";
    if (!std::filesystem::exists(root_ / "in" / "mounted.wav")) ::_exit(77);
    ::_exit(paths.open("mounted.wav") && !paths.open("a.wav") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(AllowedPathsTest, WithoutAFolderNothingIsAllowed) {
  EXPECT_FALSE(AllowedPaths({}).open((root_ / "secret").string()));
  EXPECT_FALSE(AllowedPaths({root_ / "missing"}).open((root_ / "secret").string()));
}

}  // namespace
}  // namespace server
