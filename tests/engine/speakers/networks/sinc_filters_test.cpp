#include "engine/speakers/networks/sinc_filters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace engine {
namespace {

constexpr double rate = 16000;

at::Tensor filters_of(double low_hz, double band_hz) {
  const at::Tensor times = 2 * std::numbers::pi * at::arange(-125, 0, at::kFloat) / rate;
  const at::Tensor window = at::hamming_window(251, /*periodic=*/false).narrow(0, 0, 125);
  return sinc_filters(at::full({1, 1}, low_hz), at::full({1, 1}, band_hz), times.view({1, 125}),
                      window);
}

// Returns how much of a tone passes the filter.
double response(const at::Tensor& filter, double hz) {
  const at::Tensor angle = 2 * std::numbers::pi * hz / rate * at::arange(251, at::kFloat);
  const double re = (filter * angle.cos()).sum().item<double>();
  const double im = (filter * angle.sin()).sum().item<double>();
  return std::hypot(re, im);
}

TEST(SincFilters, AreABandPassAsACosineAndAsASine) {
  const at::Tensor filters = filters_of(950, 950);  // 1000 Hz to 2000 Hz
  ASSERT_EQ(filters.sizes(), at::IntArrayRef({2, 1, 251}));
  for (int i = 0; i < 2; ++i) {
    const at::Tensor filter = filters[i][0];
    EXPECT_GT(response(filter, 1500), 20 * response(filter, 500)) << i;
    EXPECT_GT(response(filter, 1500), 20 * response(filter, 3000)) << i;
    EXPECT_NEAR(response(filter, 1500) / response(filter, 1200), 1, 0.05) << i;
  }
}

TEST(SincFilters, AreEvenAndOdd) {
  const at::Tensor filters = filters_of(300, 100);
  const at::Tensor even = filters[0][0];
  const at::Tensor odd = filters[1][0];
  EXPECT_TRUE(at::equal(even, even.flip(0)));
  EXPECT_TRUE(at::equal(odd, -odd.flip(0)));
  EXPECT_EQ(even[125].item<float>(), 1);
}

TEST(SincFilters, EndAtTheNyquistFrequency) {
  EXPECT_TRUE(at::equal(filters_of(4000, 20000), filters_of(4000, 30000)));
}

}  // namespace
}  // namespace engine
