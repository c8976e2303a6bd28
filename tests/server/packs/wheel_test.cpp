#include "server/packs/wheel.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/server/packs/zip_text.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using testing::zip_text;
using testing::Zipped;

std::string read_whole(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Wheels : public ::testing::Test {
 protected:
  StoreResult<void> unpack(const std::string& archive, const std::vector<platform::PackFile>& files,
                           const Observer& observer = {}) {
    const fs::path wheel = folder_.path() / "a.whl";
    std::ofstream(wheel, std::ios::binary) << archive;
    return unpack_wheel(wheel, {.name = "a", .files = files}, target(), observer);
  }
  fs::path target() const { return folder_.path() / "out"; }

  // Long enough for several pieces.
  const std::string long_text_ = [] {
    std::string text;
    for (unsigned i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i * 7919);
    return text;
  }();
  test::TemporaryFolder folder_;
};

TEST_F(Wheels, GiveTheWantedFilesAndNoOthers) {
  const std::string archive = zip_text({{"torch/lib/a.so", long_text_},
                                        {"torch/lib/b.so", "stored", false},
                                        {"torch/c.py", "code"},
                                        {"torch/lib/empty.so", ""}});
  const auto done = unpack(
      archive,
      {{"torch/lib/a.so", long_text_.size()}, {"torch/lib/b.so", 6}, {"torch/lib/empty.so", 0}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(read_whole(target() / "torch/lib/a.so") == long_text_);
  EXPECT_EQ(read_whole(target() / "torch/lib/b.so"), "stored");
  EXPECT_TRUE(fs::is_empty(target() / "torch/lib/empty.so"));
  EXPECT_FALSE(fs::exists(target() / "torch/c.py"));
}

TEST_F(Wheels, FilesThatAreMissingOrOfAnotherSizeAreNamed) {
  const std::string archive = zip_text({{"lib/a.so", "abc"}});
  for (const auto& [path, size] : {std::pair("lib/b.so", 3), std::pair("lib/a.so", 4)}) {
    const auto done = unpack(archive, {{path, static_cast<std::uint64_t>(size)}});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, StoreErrc::wrong_content);
    EXPECT_NE(done.error().message.find(path), std::string::npos) << done.error().message;
  }
}

TEST_F(Wheels, DamagedBytesAreNoticed) {
  const std::vector<Zipped> members{{"lib/a.so", long_text_}};
  const std::string whole = zip_text(members);
  const std::size_t header = 30 + std::string("lib/a.so").size();
  for (std::size_t at = header; at < header + 5000; at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const auto done = unpack(damaged, {{"lib/a.so", long_text_.size()}});
    // A changed bit may mean nothing, but what comes out is never wrong.
    if (done) {
      EXPECT_TRUE(read_whole(target() / "lib/a.so") == long_text_);
    } else {
      EXPECT_EQ(done.error().code, StoreErrc::wrong_content);
    }
  }
}

TEST_F(Wheels, WhatIsNoArchiveIsRefused) {
  for (const std::string& text :
       {std::string("no archive"), zip_text({{"lib/a.so", "abc"}}).substr(0, 40)}) {
    const auto done = unpack(text, {{"lib/a.so", 3}});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, StoreErrc::wrong_content);
  }
}

TEST_F(Wheels, UnpackingIsStoppedBetweenPieces) {
  std::stop_source stop;
  int calls = 0;
  Observer observer;
  observer.stop = stop.get_token();
  observer.progress = [&](const PullProgress&) {
    if (++calls == 2) stop.request_stop();
  };
  const auto done =
      unpack(zip_text({{"lib/a.so", long_text_}}), {{"lib/a.so", long_text_.size()}}, observer);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, StoreErrc::cancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace server
