#include "engine/audio/spool_file.h"

#include <gtest/gtest.h>

#include <array>
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
