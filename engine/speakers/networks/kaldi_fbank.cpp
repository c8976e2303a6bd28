#include "engine/speakers/networks/kaldi_fbank.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/audio/sample_rate.h"

namespace engine {
namespace {

constexpr int fbank_frame = 400;  // samples
constexpr int fbank_hop = 160;
constexpr int fbank_n_fft = 512;
constexpr double lowest_hz = 20;
constexpr double pre_emphasis = 0.97;
constexpr double povey_power = 0.85;

double mel(double hz) {
  return 1127.0 * std::log(1.0 + hz / 700.0);
}

// Triangles of equal width in mel, linear in mel; the bin of the Nyquist frequency is in none.
at::Tensor mel_triangles() {
  const double low = mel(lowest_hz);
  const double width = (mel(sample_rate_hz / 2.0) - low) / (fbank_bins + 1);
  at::Tensor banks = at::zeros({fbank_n_fft / 2 + 1, fbank_bins}, at::kFloat);
  auto values = banks.accessor<float, 2>();
  for (int bin = 0; bin < fbank_n_fft / 2; ++bin) {
    const double at = mel(static_cast<double>(bin) * sample_rate_hz / fbank_n_fft);
    for (int i = 0; i < fbank_bins; ++i) {
      const double left = low + i * width;
      const double rising = (at - left) / width;
      values[bin][i] = static_cast<float>(std::max(0.0, std::min(rising, 2 - rising)));
    }
  }
  return banks;
}

}  // namespace

KaldiFbank::KaldiFbank(at::Device device)
    : window_(at::hann_window(fbank_frame, /*periodic=*/false, at::kDouble)
                  .pow(povey_power)
                  .to(at::kFloat)
                  .to(device)),
      banks_(mel_triangles().to(device)) {}

at::Tensor KaldiFbank::operator()(const at::Tensor& pcm) const {
  at::Tensor frames = pcm.unfold(1, fbank_frame, fbank_hop);
  frames = frames - frames.mean(-1, /*keepdim=*/true);
  const at::Tensor first = frames.narrow(-1, 0, 1);
  const at::Tensor before = at::cat({first, frames.narrow(-1, 0, fbank_frame - 1)}, -1);
  frames = (frames - pre_emphasis * before) * window_;
  const at::Tensor spectrum = at::view_as_real(at::fft_rfft(frames, fbank_n_fft));
  const at::Tensor power = spectrum.square().sum(-1);
  return at::matmul(power, banks_).clamp_min(std::numeric_limits<float>::epsilon()).log_();
}

}  // namespace engine
