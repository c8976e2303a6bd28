#include "engine/audio/spool_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/audio/pcm_spool.h"
#include "platform/child_environment.h"
#include "tests/engine/audio/disk_use.h"

namespace engine {
namespace {

TEST(SpoolFile, HasNoName) {
  const std::filesystem::path folder = testing::TempDir() + "spool-folder";
  std::filesystem::create_directories(folder);
  const auto file = SpoolFile::create(folder);
  ASSERT_TRUE(file);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(SpoolFile, CannotBeMadeInAFolderThatIsNotThere) {
  const auto file = SpoolFile::create("/nonexistent/folder");
  EXPECT_EQ(file.error().code, Errc::out_of_disk);
  EXPECT_EQ(file.error().message.find("/nonexistent"), std::string::npos) << "clients read it";
}

TEST(SpoolFile, DoesNotReadBehindItsEnd) {
  auto file = SpoolFile::create(testing::TempDir()).value();
  std::array<std::byte, 4> bytes{};
  ASSERT_TRUE(file.append(bytes));
  EXPECT_TRUE(file.read(0, bytes));
  EXPECT_FALSE(file.read(1, bytes));
}

std::vector<std::byte> bytes_of(std::size_t count, int value) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

TEST(SpoolFile, TakesNoDiskForZeros) {
  const test::DiskUse disk;
  auto file = SpoolFile::create(testing::TempDir()).value();
  std::vector<std::byte> all;
  const auto append = [&](const std::vector<std::byte>& bytes) {
    ASSERT_TRUE(file.append(bytes));
    all.insert(all.end(), bytes.begin(), bytes.end());
  };
  append(bytes_of(5000, 1));
  for (int i = 0; i < 20; ++i) append(bytes_of(300'001, 0));
  append(bytes_of(1, 2));
  append(bytes_of(300'001, 0));
  EXPECT_LE(disk.bytes(), 64 * 1024);
  std::vector<std::byte> read(all.size());
  ASSERT_TRUE(file.read(0, read));
  EXPECT_TRUE(read == all);
  const std::span whole(read);
  ASSERT_TRUE(file.read(5001, whole.subspan(5001)));
  EXPECT_TRUE(read == all);
  EXPECT_FALSE(file.read(1, read)) << "one byte too many";
}

std::int64_t free_bytes(const std::string& folder) {
  return static_cast<std::int64_t>(std::filesystem::space(folder).available);
}

TEST(SpoolFile, LeavesAsMuchOfTheDiskAsItIsTold) {
  const std::int64_t free = free_bytes(testing::TempDir());
  auto file = SpoolFile::create(testing::TempDir(), 2 * free).value();
  EXPECT_TRUE(file.append(bytes_of(1 << 20, 0))) << "zeros take nothing";
  const auto full = file.append(bytes_of(1, 1));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Errc::out_of_disk);
  EXPECT_EQ((full.error().message + full.error().fix).find("TMPDIR"), std::string::npos);
}

TEST(SpoolFile, OfAClipMayTakeWhatALongOneMustLeave) {
  const std::int64_t free = free_bytes(testing::TempDir());
  auto file = SpoolFile::create(testing::TempDir(), free / 3 * 2).value();
  EXPECT_TRUE(file.append(bytes_of(1 << 20, 1)));
  EXPECT_FALSE(file.append(bytes_of(1 << 21, 1)));
}

TEST(SpoolFile, LeavesOthersAsMuchAsItTakesUpToAGigabyte) {
  constexpr std::int64_t mib = 1 << 20;
  EXPECT_EQ(SpoolFile::kept_free(2 * mib, 128 * mib), 128 * mib);
  EXPECT_EQ(SpoolFile::kept_free(100 * mib, 128 * mib), 356 * mib);
  EXPECT_EQ(SpoolFile::kept_free(5000 * mib, 128 * mib), 1280 * mib);
}

TEST(SpoolFile, OfOneOwnerTakeHalfOfTheRoom) {
  const std::string folder = testing::TempDir();
  const auto owners = std::make_shared<SpoolOwners>();
  SpoolOwners::Share much(owners, "bob");
  much.set(2 * free_bytes(folder));
  auto of_bob = SpoolFile::create(folder, 1, {owners, "bob"}).value();
  EXPECT_TRUE(of_bob.append(bytes_of(1 << 20, 1))) << "a clip finds room";
  const auto full = of_bob.append(bytes_of(1 << 21, 1));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Errc::out_of_disk);
  auto of_eve = SpoolFile::create(folder, 1, {owners, "eve"}).value();
  EXPECT_TRUE(of_eve.append(bytes_of(3 << 20, 1)));
  auto of_nobody = SpoolFile::create(folder, 1).value();
  EXPECT_TRUE(of_nobody.append(bytes_of(3 << 20, 1))) << "nobody counts";
  much.set(0);
  EXPECT_TRUE(of_bob.append(bytes_of(1 << 21, 1)));
}

TEST(SpoolFile, CountsForItsOwnerUntilItIsGone) {
  const auto owners = std::make_shared<SpoolOwners>();
  SpoolOwners::Share probe(owners, "ada");
  {
    auto file = SpoolFile::create(testing::TempDir(), 1, {owners, "ada"}).value();
    ASSERT_TRUE(file.append(bytes_of(1 << 20, 1)));
    ASSERT_TRUE(file.append(bytes_of(1 << 20, 1)));
    EXPECT_GE(probe.set(0), 1 << 20);
    const SpoolFile moved = std::move(file);
    EXPECT_GE(probe.set(0), 1 << 20);
  }
  EXPECT_EQ(probe.set(0), 0);
  EXPECT_EQ(probe.set(5), 5);
}

TEST(SpoolFile, IsToldByTheEnvironmentWhetherOthersShareTheDisk) {
  EXPECT_FALSE(SpoolFile::is_shared());
  ::setenv(platform::spool_is_shared, "1", 1);
  EXPECT_TRUE(SpoolFile::is_shared());
  ::unsetenv(platform::spool_is_shared);
}

TEST(SpoolFile, IsToldByTheEnvironmentWhatItLeaves) {
  EXPECT_EQ(SpoolFile::default_min_free(), 0);
  ::setenv(platform::spool_min_free, "134217728", 1);
  EXPECT_EQ(SpoolFile::default_min_free(), 134217728);
  ::unsetenv(platform::spool_min_free);
}

TEST(PcmSpool, FreesTheRoomOfWhatNobodyReadsAnyMore) {
  PcmSpool spool(SpoolFile::create(testing::TempDir()).value());
  constexpr std::int64_t many = 1 << 20;
  const std::vector<float> samples(many, 0.5F);
  ASSERT_TRUE(spool.push(samples));
  spool.forget_before(many / 4);
  spool.forget_before(many / 2);
  std::vector<float> part(2);
  for (const std::int64_t gone : {std::int64_t{0}, many / 4, many / 2 - 2}) {
    ASSERT_TRUE(spool.read(gone, part));
    EXPECT_EQ(part, std::vector<float>(2)) << gone;
  }
  ASSERT_TRUE(spool.read(many / 2, part));
  EXPECT_EQ(part, std::vector<float>(2, 0.5F));
  EXPECT_EQ(spool.samples(), many);
}

TEST(PcmSpool, GivesBackTheSamplesFromAnyPlace) {
  PcmSpool spool(SpoolFile::create(testing::TempDir()).value());
  std::vector<float> samples(1000);
  std::iota(samples.begin(), samples.end(), 0.25F);
  ASSERT_TRUE(spool.push(std::span(samples).first(1)));
  ASSERT_TRUE(spool.push(std::span(samples).subspan(1)));
  ASSERT_TRUE(spool.finish());
  EXPECT_EQ(spool.samples(), 1000);
  std::vector<float> part(10);
  ASSERT_TRUE(spool.read(500, part));
  EXPECT_EQ(part, std::vector<float>(samples.begin() + 500, samples.begin() + 510));
}

}  // namespace
}  // namespace engine
