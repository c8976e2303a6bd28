#include "platform/facts/libraries.h"

#include <gtest/gtest.h>

#include "tests/platform/facts/fake_tree.h"
#include "tests/platform/facts/ld_cache_builder.h"

namespace platform {
namespace {

std::vector<LibraryFile> find_in(const FakeTree& tree, const std::string& library_path = "") {
  const FileReader files(tree.root());
  return LibraryFinder(files, {{"LD_LIBRARY_PATH", library_path}}).find({"libcuda.so.1"});
}

std::vector<std::string> paths(const std::vector<LibraryFile>& libraries) {
  std::vector<std::string> paths;
  for (const auto& library : libraries) paths.push_back(library.path);
  return paths;
}

TEST(LibraryFinder, LooksInTheLoadersOrder) {
  FakeTree tree;
  tree.file("/usr/local/cuda/compat/libcuda.so.1")
      .file("/odd/place/libcuda.so.1")
      .file("/usr/lib/x86_64-linux-gnu/libcuda.so.1")
      .file("/usr/lib/wsl/lib/libcuda.so.1")
      .file("/etc/ld.so.cache",
            build_ld_cache({{"libcuda.so.1", "/odd/place/libcuda.so.1", own_flags}}));
  EXPECT_EQ(paths(find_in(tree, "/nowhere:/usr/local/cuda/compat")),
            (std::vector<std::string>{
                "/usr/local/cuda/compat/libcuda.so.1", "/odd/place/libcuda.so.1",
                "/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}));
}

TEST(LibraryFinder, NamesEachFileOnce) {
  FakeTree tree;
  tree.file("/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01")
      .link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.535.183.01")
      .link("/lib", "usr/lib")
      .file("/etc/ld.so.cache",
            build_ld_cache({{"libcuda.so.1", "/lib/x86_64-linux-gnu/libcuda.so.1", own_flags}}));
  const auto found = find_in(tree);
  ASSERT_EQ(paths(found), std::vector<std::string>{"/lib/x86_64-linux-gnu/libcuda.so.1"});
  EXPECT_EQ(found[0].target, "/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01");
  EXPECT_EQ(found[0].version, "535.183.01");
}

TEST(LibraryFinder, LeavesOutOtherArchitecturesAndStaleEntries) {
  FakeTree tree;
  tree.file("/usr/lib/i386-linux-gnu/libcuda.so.1")
      .file("/etc/ld.so.cache",
            build_ld_cache({{"libcuda.so.1", "/usr/lib/i386-linux-gnu/libcuda.so.1", 0x0003},
                            {"libcuda.so.1", "/removed/libcuda.so.1", own_flags}}));
  EXPECT_TRUE(find_in(tree).empty());
}

TEST(LibraryFinder, ALinkWithoutItsFileIsNotFound) {
  FakeTree tree;
  tree.link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.550.54.14");
  EXPECT_TRUE(find_in(tree).empty());
}

TEST(LibraryFinder, PathsMayBeSeparatedBySemicolonsAndHoldNothing) {
  FakeTree tree;
  tree.file("/b/libcuda.so.1").file("/c/libcuda.so.1");
  EXPECT_EQ(paths(find_in(tree, "::relative:/b;/c")),
            (std::vector<std::string>{"/b/libcuda.so.1", "/c/libcuda.so.1"}));
}

TEST(LibraryVersion, IsTheSuffixOfTheTarget) {
  EXPECT_EQ(library_version("/x/libcuda.so.550.54.14", "libcuda.so.1"), "550.54.14");
  EXPECT_EQ(library_version("/x.so.3/libcuda.so.1", "libcuda.so.1"), "");
  EXPECT_EQ(library_version("/x/libcuda-stub.so", "libcuda.so.1"), "");
}

}  // namespace
}  // namespace platform
