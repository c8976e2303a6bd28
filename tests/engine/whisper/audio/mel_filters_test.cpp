#include "engine/whisper/audio/mel_filters.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(MelFilters, AreTrianglesOfUnitArea) {
  for (const int n_mels : {80, 128}) {
    const at::Tensor filters = mel_filters(n_mels);
    ASSERT_EQ(filters.sizes(), (at::IntArrayRef{n_mels, 201}));
    EXPECT_GE(filters.min().item<float>(), 0.0F);
    // The wide ones cover enough bins (40 Hz each) for the sum to come close to the area.
    EXPECT_NEAR(filters[n_mels - 1].sum().item<float>() * 40, 1.0F, 0.02F);
    // A higher filter peaks at a higher bin.
    const at::Tensor peaks = filters.argmax(1);
    EXPECT_TRUE((peaks.slice(0, 1) >= peaks.slice(0, 0, -1)).all().item<bool>());
  }
}

TEST(MelFilters, AreTheOnesWhisperWasTrainedWith) {
  // Read off the published filters.
  EXPECT_EQ(mel_filters(80)[0][1].item<float>(), 2.4862595e-02F);
  EXPECT_EQ(mel_filters(80)[79][199].item<float>(), 4.48759e-04F);
  EXPECT_EQ(mel_filters(128)[64][42].item<float>(), 6.7496826e-03F);
}

}  // namespace
}  // namespace engine
