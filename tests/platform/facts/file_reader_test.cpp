#include "platform/facts/file_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

TEST(FileReader, ReadsUnderItsRoot) {
  FakeTree tree;
  tree.file("/etc/hostname", " box \n");
  const FileReader files(tree.root());
  EXPECT_FALSE(files.this_machine());
  EXPECT_EQ(files.word("/etc/hostname"), "box");
  EXPECT_EQ(files.text("/etc/hostname"), " box \n");
  EXPECT_EQ(files.text("/etc/passwd"), std::nullopt);
}

TEST(FileReader, TheRootOfThisMachineMayEndInSlashes) {
  EXPECT_TRUE(FileReader("/").this_machine());
  FakeTree tree;
  tree.file("/a", "1");
  EXPECT_EQ(FileReader(tree.root().string() + "//").number("/a"), 1);
}

TEST(FileReader, LinksStayInsideTheRoot) {
  FakeTree tree;
  tree.file("/opt/real/lib.so.6.1", "x")
      .link("/opt/current", "/opt/real")  // absolute
      .link("/usr/lib/lib.so.6", "../../opt/current/lib.so.6.1")
      .link("/usr/lib/escape", "../../../../../../../../opt/real")
      .link("/usr/lib/shadow", "/etc/passwd");
  const FileReader files(tree.root());
  EXPECT_EQ(files.resolve("/usr/lib/lib.so.6"), "/opt/real/lib.so.6.1");
  EXPECT_EQ(files.resolve("/usr/lib/escape"), "/opt/real");
  EXPECT_EQ(files.resolve("/usr/lib/shadow"), "");
  EXPECT_FALSE(files.text("/usr/lib/shadow"));
}

TEST(FileReader, LinksThatGoInCirclesLeadNowhere) {
  FakeTree tree;
  tree.link("/a", "/b").link("/b", "/a");
  EXPECT_EQ(FileReader(tree.root()).resolve("/a/x"), "");
}

TEST(FileReader, ReadsNoMoreThanItsLimit) {
  FakeTree tree;
  tree.file("/big", std::string(200'000, 'x'));
  const FileReader files(tree.root());
  EXPECT_EQ(files.text("/big", 100'000)->size(), 100'000U);
  EXPECT_EQ(files.text("/big")->size(), 200'000U);
}

TEST(FileReader, APipeDoesNotHoldItUp) {
  FakeTree tree;
  tree.folder("/proc");
  ASSERT_EQ(::mkfifo((tree.root() / "proc/meminfo").c_str(), 0600), 0);
  EXPECT_EQ(FileReader(tree.root()).text("/proc/meminfo"), "");
}

TEST(FileReader, GivesLinesUntilItIsToldToStop) {
  FakeTree tree;
  tree.file("/list", "one\n\ntwo\nthree\nlast");
  const FileReader files(tree.root());
  std::vector<std::string> all;
  files.lines("/list", [&](std::string_view line) {
    all.emplace_back(line);
    return true;
  });
  EXPECT_EQ(all, (std::vector<std::string>{"one", "", "two", "three", "last"}));
  int count = 0;
  files.lines("/list", [&](std::string_view line) {
    ++count;
    return line != "two";
  });
  EXPECT_EQ(count, 3);
}

TEST(FileReader, CutsLongLinesAndJoinsThemOverBlocks) {
  FakeTree tree;
  std::string text = std::string(300'000, 'x') + "\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
  tree.file("/list", text);
  std::vector<std::string> all;
  FileReader(tree.root()).lines("/list", [&](std::string_view line) {
    all.emplace_back(line);
    return true;
  });
  ASSERT_EQ(all.size(), 20'001U);
  EXPECT_EQ(all[0].size(), 4096U);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(all[i + 1], std::to_string(i));
}

TEST(FileReader, NamesAreInTheOrderOfTheirNumbers) {
  FakeTree tree;
  tree.file("/dev/nvidia10").file("/dev/nvidia2").file("/dev/kfd").file("/dev/nvidia");
  const FileReader files(tree.root());
  EXPECT_EQ(files.names("/dev"),
            (std::vector<std::string>{"kfd", "nvidia", "nvidia2", "nvidia10"}));
  EXPECT_TRUE(files.names("/nothing").empty());
}

TEST(FileReader, TellsWhyADeviceCannotBeOpened) {
  FakeTree tree;
  tree.file("/dev/good").closed_file("/dev/closed").folder("/dev/folder");
  const FileReader files(tree.root());
  EXPECT_TRUE(files.open_node("/dev/good").exists);
  EXPECT_EQ(files.open_node("/dev/good").open_error, 0);
  EXPECT_EQ(files.permitted_node("/dev/good").open_error, 0);
  EXPECT_TRUE(files.open_node("/dev/closed").exists);
  EXPECT_EQ(files.open_node("/dev/closed").open_error, EACCES);
  EXPECT_EQ(files.permitted_node("/dev/closed").open_error, EACCES);
  EXPECT_EQ(files.open_node("/dev/folder").open_error, EISDIR);
  EXPECT_FALSE(files.open_node("/dev/none").exists);
  EXPECT_EQ(files.open_node("/dev/none").open_error, ENOENT);
}

}  // namespace
}  // namespace platform
