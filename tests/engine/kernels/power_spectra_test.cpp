#include "engine/kernels/power_spectra.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

namespace engine::kernels {
namespace {

using Lanes = PowerSpectra::Lanes;

std::vector<Lanes> random_frames(int n_fft) {
  std::minstd_rand generator(7);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<Lanes> frames(static_cast<std::size_t>(n_fft));
  for (Lanes& sample : frames) {
    for (float& of_frame : sample) of_frame = number(generator);
  }
  return frames;
}

double power_by_its_definition(const std::vector<Lanes>& frames, std::size_t frame,
                               std::size_t bin) {
  std::complex<double> sum;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(i * bin % frames.size()) /
                         static_cast<double>(frames.size());
    sum += double{frames[i][frame]} * std::polar(1.0, angle);
  }
  return std::norm(sum);
}

TEST(PowerSpectra, AreThoseOfTheirDefinition) {
  for (const int n_fft : {2, 5, 10, 20, 400, 512}) {
    const auto frames = random_frames(n_fft);
    PowerSpectra spectra(n_fft);
    const auto found = spectra(frames);
    ASSERT_EQ(std::ssize(found), n_fft / 2 + 1);
    for (std::size_t bin = 0; bin < found.size(); ++bin) {
      for (const std::size_t frame : {std::size_t{0}, std::size_t{9}, PowerSpectra::lanes - 1}) {
        const double expected = power_by_its_definition(frames, frame, bin);
        ASSERT_NEAR(found[bin][frame], expected, 1e-6 * n_fft + 1e-5 * expected)
            << n_fft << " samples, frame " << frame << ", bin " << bin;
      }
    }
  }
}

TEST(PowerSpectra, AFrameHasTheSameBitsWhateverIsBesideIt) {
  const auto frames = random_frames(400);
  std::vector<Lanes> alone(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) alone[i][11] = frames[i][3];
  PowerSpectra spectra(400);
  const auto beside = spectra(frames);
  const std::vector<Lanes> kept(beside.begin(), beside.end());
  const auto found = spectra(alone);
  for (std::size_t bin = 0; bin < found.size(); ++bin) {
    ASSERT_EQ(found[bin][11], kept[bin][3]) << bin;
    ASSERT_EQ(found[bin][3], 0) << "there is silence in bin " << bin;
  }
}

}  // namespace
}  // namespace engine::kernels
