#include "engine/audio/spool_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <vector>

#include "engine/audio/pcm_spool.h"

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
  EXPECT_NE(file.error().message.find("/nonexistent/folder"), std::string::npos);
}

TEST(SpoolFile, DoesNotReadBehindItsEnd) {
  auto file = SpoolFile::create(testing::TempDir()).value();
  std::array<std::byte, 4> bytes{};
  ASSERT_TRUE(file.write(0, bytes));
  EXPECT_TRUE(file.read(0, bytes));
  EXPECT_FALSE(file.read(1, bytes));
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
