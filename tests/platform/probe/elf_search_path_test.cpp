#include "platform/probe/elf_search_path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "fake_machine.h"
#include "platform/probe/library_search.h"

namespace platform {
namespace {

using Folders = std::vector<std::filesystem::path>;
using test::FakeMachine;

TEST(ElfSearchPath, ReadsRunpathAndRpathWithTheFolderOfTheFile) {
  const std::filesystem::path with_runpath(SCRIBED_RUNPATH_TEST_PATH);
  const std::filesystem::path with_rpath(SCRIBED_RPATH_TEST_PATH);
  const auto runpath = read_elf_search_path(with_runpath);
  EXPECT_TRUE(runpath.rpath.empty());
  EXPECT_EQ(runpath.runpath, (Folders{with_runpath.parent_path() / "lib", "/nowhere"}));
  const auto rpath = read_elf_search_path(with_rpath);
  EXPECT_TRUE(rpath.runpath.empty());
  EXPECT_EQ(rpath.rpath, (Folders{with_rpath.parent_path() / "lib", "/nowhere"}));
}

TEST(ElfSearchPath, IsEmptyForWhatIsNoElfFileOrADamagedOne) {
  FakeMachine machine;
  std::ifstream stream(SCRIBED_RUNPATH_TEST_PATH, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  // The files end in the identification, the header, the program headers, and the dynamic section.
  for (const std::size_t size : {0U, 10U, 63U, 100U, 600U, 5000U}) {
    machine.write("cut", whole.substr(0, size));
    EXPECT_TRUE(read_elf_search_path(machine / "cut").runpath.empty()) << size;
  }
  machine.write("script", "#!/bin/sh\nexec true\n");
  EXPECT_TRUE(read_elf_search_path(machine / "script").runpath.empty());
  EXPECT_TRUE(read_elf_search_path(machine / "nowhere").runpath.empty());
}

TEST(ElfSearchPath, SurvivesEveryDamagedByteOfItsHeaders) {
  FakeMachine machine;
  const auto file = machine / "damaged";
  std::filesystem::copy(SCRIBED_RUNPATH_TEST_PATH, file);
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](int at, char byte) { bytes.seekp(at).put(byte).flush(); };
  for (int at = 0; at < 800; ++at) {
    const auto good = static_cast<char>(bytes.seekg(at).get());
    put(at, static_cast<char>(good ^ 0xff));
    EXPECT_LE(read_elf_search_path(file).runpath.size(), 2U) << at;
    put(at, good);
  }
  EXPECT_EQ(read_elf_search_path(file).runpath.size(), 2U) << "whole again";
}

TEST(SearchPath, IsSplitAtColonsWithoutEmptyParts) {
  EXPECT_EQ(split_search_path("/a::/b:"), (Folders{"/a", "/b"}));
  EXPECT_TRUE(split_search_path("").empty());
}

// A pack whose worker and whose LD_LIBRARY_PATH both have a library of that name.
class LibrarySearchTest : public testing::Test {
 protected:
  std::filesystem::path found_with(const char* worker) {
    machine_.write("pack/lib/libx.so", "the pack's");
    machine_.write("foreign/libx.so", "a foreign one");
    std::filesystem::copy(worker, machine_ / "pack/scribed-worker");
    machine_.library_path({machine_ / "foreign"});
    const auto found = LibrarySearch(machine_ / "pack", "libtorch_cuda.so").find("libx.so");
    return found.value_or("");
  }
  FakeMachine machine_;
};

TEST_F(LibrarySearchTest, PutsTheVariableBeforeARunpath) {
  EXPECT_EQ(found_with(SCRIBED_RUNPATH_TEST_PATH), machine_ / "foreign/libx.so");
}

TEST_F(LibrarySearchTest, PutsAnRpathBeforeTheVariable) {
  EXPECT_EQ(found_with(SCRIBED_RPATH_TEST_PATH), machine_ / "pack/lib/libx.so");
}

TEST_F(LibrarySearchTest, FollowsThePathOfLibtorchItself) {
  machine_.write("pack/lib/readme", "");
  std::filesystem::copy(SCRIBED_RUNPATH_TEST_PATH, machine_ / "pack/scribed-worker");
  std::filesystem::copy(SCRIBED_RPATH_TEST_PATH, machine_ / "pack/lib/libtorch_cuda.so");
  machine_.write("pack/lib/lib/libcudnn.so.9", "");
  machine_.library_path({});
  EXPECT_EQ(LibrarySearch(machine_ / "pack", "libtorch_cuda.so").find("libcudnn.so.9"),
            machine_ / "pack/lib/lib/libcudnn.so.9");
}

}  // namespace
}  // namespace platform
