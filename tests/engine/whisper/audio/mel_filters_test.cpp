#include "engine/whisper/audio/mel_filters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace engine {
namespace {

TEST(MelFilters, AreTrianglesOfUnitArea) {
  for (const int n_mels : {80, 128}) {
    const auto filters = mel_filters(n_mels);
    ASSERT_EQ(std::ssize(filters), n_mels);
    // The wide ones cover enough bins (40 Hz each) for the sum to come close to the area.
    const auto& widest = filters.back().weights;
    EXPECT_NEAR(std::accumulate(widest.begin(), widest.end(), 0.0F) * 40, 1.0F, 0.02F);
    std::ptrdiff_t last_peak = 0;
    for (const MelFilter& filter : filters) {
      ASSERT_FALSE(filter.weights.empty());
      EXPECT_GT(std::ranges::min(filter.weights), 0);
      EXPECT_LE(filter.first_bin + std::ssize(filter.weights), 201);
      const auto peak =
          filter.first_bin + (std::ranges::max_element(filter.weights) - filter.weights.begin());
      EXPECT_GE(peak, last_peak) << "a higher filter peaks at a higher bin";
      last_peak = peak;
    }
  }
}

TEST(MelFilters, AreTheOnesWhisperWasTrainedWith) {
  const auto weight = [](int n_mels, std::size_t filter, int bin) {
    const MelFilter found = mel_filters(n_mels)[filter];
    return found.weights.at(static_cast<std::size_t>(bin - found.first_bin));
  };
  // Read off the published filters.
  EXPECT_EQ(weight(80, 0, 1), 2.4862595e-02F);
  EXPECT_EQ(weight(80, 79, 199), 4.48759e-04F);
  EXPECT_EQ(weight(128, 64, 42), 6.7496826e-03F);
}

}  // namespace
}  // namespace engine
