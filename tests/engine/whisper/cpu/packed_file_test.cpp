#include "engine/whisper/cpu/packed_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace engine::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_bytes = 10'000;

class PackedFileTest : public testing::Test {
 protected:
  PackedFileTest() {
    std::string pattern = (fs::temp_directory_path() / "scribed-packed-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    header_[0] = std::byte{42};
  }
  ~PackedFileTest() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "model.int8"; }
  std::shared_ptr<std::byte> write() const {
    return PackedFile::write(file(), header_, block_bytes, [](std::byte* block) {
      for (std::size_t i = 0; i < block_bytes; ++i) block[i] = static_cast<std::byte>(i % 251);
    });
  }
  PackedFile::Found map() const { return PackedFile::map(file(), header_); }
  void change(std::size_t at) const {
    std::fstream stream(file(), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(static_cast<std::streamoff>(at)).put(byte);
  }
  auto files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
  PackedFile::Header header_{};
};

TEST_F(PackedFileTest, WhatIsWrittenIsMapped) {
  ASSERT_TRUE(write());
  const auto found = map();
  ASSERT_TRUE(found.block);
  EXPECT_FALSE(found.damaged);
  for (std::size_t i = 0; i < block_bytes; ++i) {
    ASSERT_EQ(found.block.get()[i], static_cast<std::byte>(i % 251)) << i;
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.block.get()) % 64, 0U);
  EXPECT_EQ(fs::file_size(file()), PackedFile::page_bytes + block_bytes);
  EXPECT_EQ(files(), 1) << "nothing else is left";
}

TEST_F(PackedFileTest, AFileThatIsNotThereIsNotDamaged) {
  EXPECT_FALSE(map().block);
  EXPECT_FALSE(map().damaged);
}

TEST_F(PackedFileTest, AnythingElseThanWhatWasWrittenIsDamaged) {
  for (const std::size_t at :
       {std::size_t{0}, PackedFile::header_bytes - 1, PackedFile::header_bytes,
        PackedFile::page_bytes, PackedFile::page_bytes + block_bytes - 1}) {
    ASSERT_TRUE(write());
    change(at);
    EXPECT_FALSE(map().block) << at;
    EXPECT_TRUE(map().damaged) << at;
  }
  ASSERT_TRUE(write());
  header_[1] = std::byte{1};
  EXPECT_TRUE(map().damaged) << "of another model";
  fs::resize_file(file(), PackedFile::page_bytes + block_bytes - 1);
  header_[1] = std::byte{0};
  EXPECT_TRUE(map().damaged);
  fs::remove(file());
  fs::create_directory(file());
  EXPECT_TRUE(map().damaged);
}

TEST_F(PackedFileTest, AMappedBlockStaysWhateverBecomesOfItsName) {
  const auto block = write();
  ASSERT_TRUE(block);
  fs::remove(file());
  EXPECT_EQ(block.get()[250], std::byte{250});
  ASSERT_TRUE(write()) << "another takes the name";
  EXPECT_EQ(block.get()[250], std::byte{250});
}

TEST_F(PackedFileTest, NothingIsLeftOfAFileThatCannotBeFilled) {
  const auto fail = [](std::byte*) -> std::size_t {
    throw std::runtime_error("a weight is no number");
  };
  EXPECT_THROW(PackedFile::write(file(), header_, block_bytes, fail), std::runtime_error);
  EXPECT_EQ(files(), 0);
  EXPECT_FALSE(PackedFile::write(folder_ / "none" / "model.int8", header_, block_bytes,
                                 [](std::byte*) { FAIL() << "there is no folder"; }));
}

TEST_F(PackedFileTest, OnlyWhatWasBegunLongAgoIsLeftOver) {
  const auto make = [this](const std::string& name, std::chrono::hours age) {
    std::ofstream(folder_ / name) << "x";
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - age);
    return PackedFile::is_left_over(folder_ / name);
  };
  EXPECT_TRUE(make("model.int8.aB3xyZ", std::chrono::hours(2)));
  EXPECT_FALSE(make("fresh.int8.aB3xyZ", std::chrono::hours(0)));
  EXPECT_FALSE(make("model.int8", std::chrono::hours(2)));
  EXPECT_FALSE(PackedFile::is_left_over(folder_ / "gone.int8.aB3xyZ"));
}

}  // namespace
}  // namespace engine::cpu
