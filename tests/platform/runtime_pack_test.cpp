#include "platform/runtime_pack.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace platform {
namespace {

namespace fs = std::filesystem;

class RuntimePacks : public ::testing::Test {
 protected:
  RuntimePacks() {
    std::string pattern = (fs::temp_directory_path() / "packs-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~RuntimePacks() override { fs::remove_all(folder_); }

  void add(const fs::path& relative, const std::string& build_info) {
    fs::create_directories(folder_ / relative);
    std::ofstream(folder_ / relative / "scribed-worker") << "";
    if (!build_info.empty()) std::ofstream(folder_ / relative / "build-info.json") << build_info;
  }

  fs::path folder_;
};

TEST_F(RuntimePacks, AnInstalledProgramFindsThemBelowLib) {
  fs::create_directories(folder_ / "bin");
  add("lib/scribed", R"({"torch": "2.11.0"})");
  add("lib/scribed/runtimes/cuda-13", R"({"backend": "cuda"})");
  EXPECT_EQ(helper_folder(folder_ / "bin"), folder_ / "lib/scribed");
  const auto packs = find_runtime_packs(folder_ / "bin");
  ASSERT_EQ(packs.size(), 2U);
  EXPECT_EQ(packs[0].worker, folder_ / "lib/scribed/scribed-worker");
  EXPECT_EQ(packs[1].name, "cuda-13");
}

TEST_F(RuntimePacks, ProgramsOfABuildComeBeforeInstalledOnes) {
  add("bin", "");
  std::ofstream(folder_ / "bin/scribed-decode") << "";
  add("lib/scribed", "");
  EXPECT_EQ(helper_folder(folder_ / "bin"), folder_ / "bin");
}

TEST_F(RuntimePacks, AChosenFolderComesBeforeAll) {
  add("bin", "");
  add("chosen", "");
  ::setenv("SCRIBED_LIBEXEC", (folder_ / "chosen").c_str(), 1);
  const auto found = helper_folder(folder_ / "bin");
  ::unsetenv("SCRIBED_LIBEXEC");
  EXPECT_EQ(found, folder_ / "chosen");
}

TEST_F(RuntimePacks, TheFoldersOwnPackComesFirst) {
  add("runtimes/cuda-13", R"({"cuda": "13.0", "backend": "cuda"})");
  add(".", R"({"torch": "2.11.0"})");
  const auto packs = find_runtime_packs(folder_);
  ASSERT_EQ(packs.size(), 2U);
  EXPECT_EQ(packs[0].name, "cpu");
  EXPECT_EQ(packs[0].build.torch, "2.11.0");
  EXPECT_EQ(packs[1].name, "cuda-13");
  EXPECT_EQ(packs[1].build.cuda, "13.0");
}

TEST_F(RuntimePacks, FetchedLibrariesAreFoundInTheFirstFolderThatHasThem) {
  const std::string list =
      R"({"name": "cuda", "packages": [{"name": "torch", "version": "2", "wheel": "t.whl", "size": 1,
          "sha256": "aa", "files": [{"path": "torch/lib/libtorch.so", "size": 1}]}]})";
  add("runtimes/cuda-13", R"({"backend": "cuda"})");
  std::ofstream(folder_ / "runtimes/cuda-13/packages.json") << list;
  auto packs = find_runtime_packs(folder_, {folder_ / "own", folder_ / "machine"});
  ASSERT_EQ(packs.size(), 1U);
  EXPECT_EQ(packs[0].fetched_as, "cuda");
  EXPECT_TRUE(packs[0].lacks_libraries());

  fs::create_directories(folder_ / "machine/cuda");
  std::ofstream(folder_ / "machine/cuda/pack.json") << list;
  packs = find_runtime_packs(folder_, {folder_ / "own", folder_ / "machine"});
  EXPECT_FALSE(packs[0].lacks_libraries());
  EXPECT_EQ(packs[0].library_path, folder_ / "machine/cuda/torch/lib");
}

TEST_F(RuntimePacks, WithoutAListTheWorkerFindsItsLibraries) {
  add("runtimes/cuda-13", R"({"backend": "cuda"})");
  EXPECT_FALSE(find_runtime_packs(folder_).front().lacks_libraries());
}

TEST_F(RuntimePacks, DamagedBuildInfoCountsAsNone) {
  add(".", "{ not json");
  const auto packs = find_runtime_packs(folder_);
  ASSERT_EQ(packs.size(), 1U);
  EXPECT_TRUE(packs[0].build.torch.empty());
}

TEST_F(RuntimePacks, AFolderWithoutAWorkerIsNoPack) {
  fs::create_directories(folder_ / "runtimes/empty");
  EXPECT_TRUE(find_runtime_packs(folder_).empty());
}

}  // namespace
}  // namespace platform
