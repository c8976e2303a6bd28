#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace engine::kernels {

// Computes the power spectra of frames of one length. Some frames are computed side by side, each
// as if it were alone. It is used on one thread.
class PowerSpectra {
 public:
  // The number of frames that are side by side: as many as the widest vectors have numbers.
  static constexpr std::size_t lanes = 16;
  struct alignas(lanes * sizeof(float)) Lanes : std::array<float, lanes> {};

  // n_fft  a product of 2s and 5s
  explicit PowerSpectra(int n_fft);

  // frames   [n_fft]  of each frame the sample i
  // returns  [n_fft / 2 + 1]  of each frame the square of its discrete Fourier transform's absolute
  //          value in that bin; valid until the next call
  std::span<const Lanes> operator()(std::span<const Lanes> frames);

 private:
  struct Complex {
    Lanes re;
    Lanes im;
  };
  struct Turn {
    float re;
    float im;
  };

  template <std::size_t radix>
  static void pass(std::span<const Turn> turns, std::size_t length, const Complex* from,
                   Complex* to);
  static const Complex* transform(std::span<const Turn> turns, Complex* from, Complex* to);

  std::vector<Turn> turns_;  // [n_fft], e^(-2πi·k/n_fft)
  std::vector<Complex> from_;
  std::vector<Complex> to_;
  std::vector<Lanes> power_;
};

}  // namespace engine::kernels
