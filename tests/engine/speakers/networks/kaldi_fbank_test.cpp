#include "engine/speakers/networks/kaldi_fbank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace engine {
namespace {

at::Tensor tone(double hz, double loudness, int samples) {
  return (loudness * (2 * std::numbers::pi * hz / 16000 * at::arange(samples, at::kDouble)).sin())
      .to(at::kFloat)
      .unsqueeze(0);
}

TEST(KaldiFbank, HasAFrameForEachTenMillisecondsThatIsWhole) {
  const KaldiFbank fbank(at::kCPU);
  EXPECT_EQ(fbank(at::zeros({2, 24000})).sizes(), at::IntArrayRef({2, 148, fbank_bins}));
  EXPECT_EQ(fbank(at::zeros({1, 559})).size(1), 1);
  EXPECT_EQ(fbank(at::zeros({1, 560})).size(1), 2);
}

TEST(KaldiFbank, HearsAToneInItsBin) {
  const KaldiFbank fbank(at::kCPU);
  const auto loudest = [&](double hz) {
    return fbank(tone(hz, 0.5, 16000))[0][50].argmax().item<std::int64_t>();
  };
  // Bins are (mel(8000) - mel(20)) / 81 wide, from mel(20) on; a bin's peak is one width after its
  // left end.
  EXPECT_EQ(loudest(1000), 27);
  EXPECT_EQ(loudest(4000), 60);
}

TEST(KaldiFbank, OfSilenceIsTheLogarithmOfTheSmallestStep) {
  const KaldiFbank fbank(at::kCPU);
  const float floor = std::log(std::numeric_limits<float>::epsilon());
  EXPECT_TRUE(at::all(fbank(at::zeros({1, 1600})) == floor).item<bool>());
  // A frame's mean is taken off.
  EXPECT_TRUE(at::all(fbank(at::full({1, 1600}, 0.25)) == floor).item<bool>());
}

TEST(KaldiFbank, GrowsByTheLogarithmOfThePower) {
  const KaldiFbank fbank(at::kCPU);
  const at::Tensor louder = fbank(tone(1000, 0.5, 16000)) - fbank(tone(1000, 0.25, 16000));
  EXPECT_NEAR(louder[0][50][27].item<double>(), std::log(4), 1e-4);
}

}  // namespace
}  // namespace engine
