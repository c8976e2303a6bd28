#pragma once

#include <ATen/ATen.h>

namespace engine {

constexpr int fbank_bins = 80;

// Kaldi's filter bank as torchaudio.compliance.kaldi.fbank computes it, without dither: frames of
// 25 ms every 10 ms, each without its mean, with pre-emphasis and the Povey window; the logarithm
// of the power in 80 triangles from 20 Hz to 8 kHz.
class KaldiFbank {
 public:
  explicit KaldiFbank(at::Device device);

  //   pcm      [batch, samples]  in [-1, 1], at least 400, float32 on the device
  //   returns  [batch, frames, fbank_bins]  whole frames alone
  at::Tensor operator()(const at::Tensor& pcm) const;

 private:
  at::Tensor window_;  // [400]
  at::Tensor banks_;   // [257, fbank_bins]
};

}  // namespace engine
