#include "server/inputs/allowed_paths.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
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

TEST_F(AllowedPathsTest, AFolderThatIsALinkIsTakenWhereItLeads) {
  fs::create_directory_symlink(root_ / "in2", root_ / "link");
  EXPECT_TRUE(AllowedPaths({root_ / "link"}).open((root_ / "in2" / "c.wav").string()));
}

TEST_F(AllowedPathsTest, WithoutAFolderNothingIsAllowed) {
  EXPECT_FALSE(AllowedPaths({}).open((root_ / "secret").string()));
  EXPECT_FALSE(AllowedPaths({root_ / "missing"}).open((root_ / "secret").string()));
}

}  // namespace
}  // namespace server
