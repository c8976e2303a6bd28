#pragma once

#include <ATen/ATen.h>

namespace engine {

// Builds the first layer of SincNet (Ravanelli and Bengio 2018; asteroid's ParamSincFB): 40 band
// passes as cosines and the same as sines, 251 samples long, of which the network has learnt the
// cut-off frequencies alone.
//   low_hz, band_hz  [40, 1]
//   times            [1, 125]   2π·(-125 … -1) / 16000
//   window           [125]      the left half of a Hamming window
//   returns          [80, 1, 251]
at::Tensor sinc_filters(const at::Tensor& low_hz, const at::Tensor& band_hz,
                        const at::Tensor& times, const at::Tensor& window);

}  // namespace engine
