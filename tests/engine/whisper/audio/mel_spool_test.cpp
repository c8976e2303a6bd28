#include "engine/whisper/audio/mel_spool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <vector>

#include "tests/engine/audio/disk_use.h"
#include "tests/engine/whisper/audio/golden.h"
#include "tests/engine/whisper/audio/test_signal.h"

namespace engine {
namespace {

// Returns frames of 80 bands, whose numbers are all the same.
MelFrames equal_frames(int count, float value) {
  return {80, std::vector<float>(static_cast<std::size_t>(count * 80), value)};
}

float value_of(const MelWindow& window, int band, int frame) {
  return window.at(static_cast<std::size_t>(band * window_frames + frame));
}

bool all_are(const MelWindow& window, float value) {
  return std::ranges::all_of(window, [value](float number) { return number == value; });
}

MelSpool new_spool() {
  return MelSpool::create(80, testing::TempDir()).value();
}

TEST(MelSpool, GivesOpenaiWhispersScaledWindow) {
  const auto golden = mel_golden();
  const auto pcm = test_signal(golden.at("samples"));
  for (const int n_mels : {80, 128}) {
    LogMel mel(n_mels);
    MelSpool spool = MelSpool::create(n_mels, testing::TempDir()).value();
    ASSERT_TRUE(spool.append(mel.push(pcm)));
    ASSERT_TRUE(spool.append(mel.finish()));
    const MelWindow window = spool.read_window(0, window_frames).value();
    for (const auto& [mels, frame, band, value] :
         golden.at("scaled").get<std::vector<std::tuple<int, int, int, float>>>()) {
      if (mels != n_mels) continue;
      EXPECT_NEAR(value_of(window, band, frame), value, 1e-5F) << frame << " " << band;
    }
  }
}

TEST(MelSpool, FloorsAtEightBelowTheMaximumOfEverything) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(equal_frames(3000, -9)));
  ASSERT_TRUE(s.append(equal_frames(10, 2)));
  EXPECT_EQ(s.maximum(), 2.0F);
  EXPECT_EQ(s.frames(), 3010);
  EXPECT_TRUE(all_are(s.read_window(0, 3000).value(), (2.0F - 8.0F + 4.0F) / 4.0F));
}

TEST(MelSpool, FillsWithSilenceWithinTheFramesAskedForAndWithZeroBehindThem) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(equal_frames(5, 1)));
  const MelWindow window = s.read_window(3, 10).value();
  ASSERT_EQ(std::ssize(window), 80 * 3000);
  EXPECT_EQ(value_of(window, 7, 1), 1.25F);
  EXPECT_EQ(value_of(window, 7, 2), -0.75F);
  EXPECT_EQ(value_of(window, 7, 9), -0.75F);
  EXPECT_EQ(value_of(window, 7, 10), 0.0F);
  EXPECT_EQ(value_of(window, 7, 2999), 0.0F);
}

TEST(MelSpool, OfNothingIsSilence) {
  EXPECT_TRUE(all_are(new_spool().read_window(0, 3000).value(), -1.5F));
}

TEST(MelSpool, TellsFramesInWhichNothingCanBeHeard) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(equal_frames(100, -8)));
  ASSERT_TRUE(s.append(equal_frames(1, -6)));
  EXPECT_TRUE(s.is_inaudible(0, 100).value());
  EXPECT_FALSE(s.is_inaudible(0, 101).value());
  EXPECT_FALSE(s.is_inaudible(100, 3000).value());
  EXPECT_TRUE(s.is_inaudible(101, 3000).value()) << "behind the end";
  EXPECT_TRUE(s.is_inaudible(100, 0).value());
  EXPECT_EQ(s.silent_ends(40, 63).value().before, 60);
  EXPECT_EQ(s.silent_ends(40, 63).value().after, 2);
  EXPECT_EQ(s.silent_ends(40, 20).value().before, 20);
  EXPECT_EQ(s.silent_ends(40, 20).value().after, 20);
  EXPECT_EQ(s.silent_ends(100, 3).value().before, 0);
}

TEST(MelSpool, ReadsFramesInTheirOrder) {
  MelSpool s = new_spool();
  MelFrames first{80}, second{80};
  for (int i = 0; i < 4000 * 80; ++i) {
    (i < 1234 * 80 ? first : second).values.push_back(static_cast<float>(i) / 1e6F);
  }
  ASSERT_TRUE(s.append(first));
  ASSERT_TRUE(s.append(second));
  const MelWindow window = s.read_window(900, 3000).value();
  for (int frame = 0; frame < 3000; ++frame) {
    const int i = (900 + frame) * 80 + 3;
    ASSERT_EQ(value_of(window, 3, frame), (static_cast<float>(i) / 1e6F + 4.0F) / 4.0F) << frame;
  }
}

TEST(MelSpool, TakesNoDiskForSilenceAndGivesItBackToTheBit) {
  const test::DiskUse disk;
  MelSpool s = new_spool();
  LogMel mel(80);
  const std::vector<float> minute(60 * 16000);
  ASSERT_TRUE(s.append(mel.push(minute)));
  ASSERT_TRUE(s.append(mel.push(test_signal(16000))));
  ASSERT_TRUE(s.append(mel.push(minute)));
  ASSERT_TRUE(s.append(mel.finish()));
  EXPECT_GE(s.frames(), 12100);
  EXPECT_LE(disk.bytes(), 101 * 80 * 4 + 3 * 4096) << "those that hear a sample, and their blocks";
  EXPECT_GT(s.maximum(), -2.0F);
  const float silence = (std::max(silence_log_mel, s.maximum() - 8.0F) + 4.0F) / 4.0F;
  EXPECT_TRUE(all_are(s.read_window(1000, 3000).value(), silence));
  EXPECT_TRUE(all_are(s.read_window(9000, 3000).value(), silence));
}

TEST(MelSpool, AFolderThatCannotBeWrittenIsAnError) {
  const auto s = MelSpool::create(80, "/nonexistent/folder");
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, Errc::out_of_disk);
}

TEST(MelSpool, AFullDiskIsAnError) {
  MelSpool s = new_spool();
  // A limit on file sizes stands in for the end of the disk.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{10000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const auto written = s.append(equal_frames(100, 0));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::out_of_disk);
}

}  // namespace
}  // namespace engine
