#include "engine/kernels/power_spectra.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "engine/kernels/each_level.h"

namespace engine::kernels {

PowerSpectra::PowerSpectra(int n_fft)
    : from_(static_cast<std::size_t>(n_fft)), to_(from_.size()), power_(from_.size() / 2 + 1) {
  for (int k = 0; k < n_fft; ++k) {
    const double angle = -2 * std::numbers::pi * k / n_fft;
    turns_.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
}

// Makes of each transform of `length` numbers `radix` shorter ones. Those of different numbers lie
// interleaved, so that the results are in order after the last pass: Stockham's form of the fast
// Fourier transform (C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1.7).
template <std::size_t radix>
[[gnu::always_inline]] inline void PowerSpectra::pass(std::span<const Turn> turns,
                                                      std::size_t length, const Complex* from,
                                                      Complex* to) {
  const std::size_t n = turns.size();
  const std::size_t interleaved = n / length;
  const std::size_t part = length / radix;
  for (std::size_t k = 0; k < part; ++k) {
    for (std::size_t out = 0; out < radix; ++out) {
      std::array<Turn, radix> turn;
      for (std::size_t in = 0; in < radix; ++in) {
        turn[in] = turns[(in * out * (n / radix) + k * out * interleaved) % n];
      }
      for (std::size_t i = 0; i < interleaved; ++i) {
        Complex sum{};
        for (std::size_t in = 0; in < radix; ++in) {
          const Complex& x = from[i + interleaved * (k + part * in)];
          for (std::size_t lane = 0; lane < lanes; ++lane) {
            sum.re[lane] += x.re[lane] * turn[in].re - x.im[lane] * turn[in].im;
            sum.im[lane] += x.re[lane] * turn[in].im + x.im[lane] * turn[in].re;
          }
        }
        to[i + interleaved * (radix * k + out)] = sum;
      }
    }
  }
}

// Transforms `from`, which is lost. Returns where the result is, one of both.
SCRIBED_EACH_LEVEL const PowerSpectra::Complex* PowerSpectra::transform(std::span<const Turn> turns,
                                                                        Complex* from,
                                                                        Complex* to) {
  std::size_t length = turns.size();
  while (length > 1) {
    if (length % 5 == 0) {
      pass<5>(turns, length, from, to);
      length /= 5;
    } else if (length % 4 == 0) {
      pass<4>(turns, length, from, to);
      length /= 4;
    } else {
      pass<2>(turns, length, from, to);
      length /= 2;
    }
    std::swap(from, to);
  }
  return from;
}

std::span<const PowerSpectra::Lanes> PowerSpectra::operator()(std::span<const Lanes> frames) {
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] = {frames[i], {}};
  const Complex* bins = transform(turns_, from_.data(), to_.data());
  for (std::size_t bin = 0; bin < power_.size(); ++bin) {
    const auto& [re, im] = bins[bin];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      power_[bin][lane] = re[lane] * re[lane] + im[lane] * im[lane];
    }
  }
  return power_;
}

}  // namespace engine::kernels
