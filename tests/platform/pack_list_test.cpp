#include "platform/pack_list.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace platform {
namespace {

namespace fs = std::filesystem;

PackList small_list() {
  return {.name = "cuda",
          .packages = {{.name = "torch",
                        .version = "2.11.0",
                        .wheel = "torch-2.11.0.whl",
                        .size = 7,
                        .sha256 = "aa",
                        .files = {{"torch/lib/libtorch.so", 3}, {"torch/lib/libc10.so", 1}}},
                       {.name = "cublas",
                        .version = "13",
                        .wheel = "cublas-13.whl",
                        .size = 5,
                        .sha256 = "bb",
                        .files = {{"nvidia/cu13/lib/libcublas.so.13", 2}, {"licence/x", 4}}}}};
}

class PackLists : public ::testing::Test {
 protected:
  PackLists() {
    std::string pattern = (fs::temp_directory_path() / "lists-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~PackLists() override { fs::remove_all(folder_); }

  void write(const fs::path& path, const std::string& text) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }

  // Makes the files that a list names.
  void make(const PackList& list) {
    for (const auto& package : list.packages) {
      for (const auto& file : package.files) write(file.path, std::string(file.size, 'x'));
    }
    write(fetched_list_file, pack_list_text(list));
  }

  fs::path folder_;
};

TEST_F(PackLists, ItsTextIsReadBack) {
  write("packages.json", pack_list_text(small_list()));
  const auto read = read_pack_list(folder_ / "packages.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, small_list());
}

TEST_F(PackLists, WhatCannotBeReadIsNoList) {
  const std::string good = pack_list_text(small_list());
  const auto without = [&](const std::string& word, const std::string& instead) {
    std::string text = good;
    text.replace(text.find(word), word.size(), instead);
    return text;
  };
  for (const std::string& text :
       {std::string(), std::string("[]"), good.substr(0, good.size() / 2),
        without("\"torch/lib/libtorch.so\"", "\"../libtorch.so\""),
        without("\"torch/lib/libtorch.so\"", "\"/lib/libtorch.so\""),
        without("\"torch/lib/libtorch.so\"", "\"torch/lib/\""),
        without("\"torch-2.11.0.whl\"", "\"a/b.whl\""), without("\"cuda\"", "\"../cuda\""),
        without("\"sha256\"", "\"sha\""), without("\"size\": 7", "\"size\": \"7\"")}) {
    write("packages.json", text);
    EXPECT_FALSE(read_pack_list(folder_ / "packages.json")) << text;
  }
  EXPECT_FALSE(read_pack_list(folder_ / "not there"));
}

TEST_F(PackLists, FoldersOfLibrariesComeInTheListsOrder) {
  make(small_list());
  EXPECT_EQ(library_path(small_list(), folder_),
            (folder_ / "torch/lib").string() + ":" + (folder_ / "nvidia/cu13/lib").string());
}

TEST_F(PackLists, LibrariesOfAnotherListAreNone) {
  PackList other = small_list();
  other.packages[1].sha256 = "cc";
  make(other);
  EXPECT_EQ(library_path(small_list(), folder_), "");
  EXPECT_EQ(library_path(small_list(), folder_ / "nowhere"), "");
}

TEST_F(PackLists, TheFirstDamagedFileIsNamed) {
  make(small_list());
  EXPECT_EQ(first_damage(small_list(), folder_), "");
  write("torch/lib/libc10.so", "too long");
  EXPECT_NE(first_damage(small_list(), folder_).find("libc10.so has 8 bytes instead of 1"),
            std::string::npos);
  fs::remove(folder_ / "torch/lib/libtorch.so");
  EXPECT_NE(first_damage(small_list(), folder_).find("libtorch.so: No such file"),
            std::string::npos);
}

}  // namespace
}  // namespace platform
