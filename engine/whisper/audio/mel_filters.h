#pragma once

#include <ATen/core/Tensor.h>

namespace engine {

// Returns Slaney's mel filters for 16 kHz and 400-point spectra, each of unit area.
//   returns  [n_mels, 201]  float32, the very bits of the filters Whisper was trained with
at::Tensor mel_filters(int n_mels);

}  // namespace engine
