#include "engine/whisper/audio/mel_spool.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/engine/whisper/audio/golden.h"
#include "tests/engine/whisper/audio/test_signal.h"

namespace engine {
namespace {

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
    const at::Tensor window = spool.read_window(0, window_frames).value();
    for (const auto& [mels, frame, band, value] :
         golden.at("scaled").get<std::vector<std::tuple<int, int, int, float>>>()) {
      if (mels != n_mels) continue;
      EXPECT_NEAR(window[band][frame].item<float>(), value, 1e-5F) << frame << " " << band;
    }
  }
}

TEST(MelSpool, FloorsAtEightBelowTheMaximumOfEverything) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(at::full({3000, 80}, -9.0F)));
  ASSERT_TRUE(s.append(at::full({10, 80}, 2.0F)));
  EXPECT_EQ(s.maximum(), 2.0F);
  EXPECT_EQ(s.frames(), 3010);
  const at::Tensor window = s.read_window(0, 3000).value();
  EXPECT_TRUE((window == (2.0F - 8.0F + 4.0F) / 4.0F).all().item<bool>());
}

TEST(MelSpool, FillsWithSilenceWithinTheFramesAskedForAndWithZeroBehindThem) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(at::full({5, 80}, 1.0F)));
  const at::Tensor window = s.read_window(3, 10).value();
  ASSERT_EQ(window.sizes(), (at::IntArrayRef{80, 3000}));
  EXPECT_EQ(window[7][1].item<float>(), 1.25F);
  EXPECT_EQ(window[7][2].item<float>(), -0.75F);
  EXPECT_EQ(window[7][9].item<float>(), -0.75F);
  EXPECT_EQ(window[7][10].item<float>(), 0.0F);
  EXPECT_EQ(window[7][2999].item<float>(), 0.0F);
}

TEST(MelSpool, OfNothingIsSilence) {
  EXPECT_TRUE((new_spool().read_window(0, 3000).value() == -1.5F).all().item<bool>());
}

TEST(MelSpool, TellsFramesInWhichNothingCanBeHeard) {
  MelSpool s = new_spool();
  ASSERT_TRUE(s.append(at::full({100, 80}, -8.0F)));
  ASSERT_TRUE(s.append(at::full({1, 80}, -6.0F)));
  EXPECT_TRUE(s.is_inaudible(0, 100).value());
  EXPECT_FALSE(s.is_inaudible(0, 101).value());
  EXPECT_FALSE(s.is_inaudible(100, 3000).value());
  EXPECT_TRUE(s.is_inaudible(101, 3000).value()) << "behind the end";
  EXPECT_TRUE(s.is_inaudible(100, 0).value());
}

TEST(MelSpool, ReadsFramesInTheirOrder) {
  MelSpool s = new_spool();
  const at::Tensor frames = at::arange(0, 4000 * 80, at::kFloat).reshape({4000, 80}) / 1e6F;
  ASSERT_TRUE(s.append(frames.slice(0, 0, 1234)));
  ASSERT_TRUE(s.append(frames.slice(0, 1234)));
  const at::Tensor window = s.read_window(900, 3000).value();
  EXPECT_TRUE(at::equal(window, (frames.slice(0, 900, 3900).t() + 4.0) / 4.0));
}

TEST(MelSpool, AFolderThatCannotBeWrittenIsAnErrorThatNamesIt) {
  const auto s = MelSpool::create(80, "/nonexistent/folder");
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, Errc::out_of_disk);
  EXPECT_NE(s.error().message.find("/nonexistent/folder"), std::string::npos);
}

TEST(MelSpool, AFullDiskIsAnError) {
  MelSpool s = new_spool();
  // A limit on file sizes stands in for the end of the disk.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{10000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const auto written = s.append(at::zeros({100, 80}));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::out_of_disk);
}

}  // namespace
}  // namespace engine
