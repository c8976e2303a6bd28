#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace engine {

// Returns noise of the standard Gumbel distribution: the largest of logits with it is a sample of
// their softmax (Gumbel-max). Each number depends only on its key, its counter and its column, so
// that the same seed gives the same samples wherever and beside whatever they are drawn: RowSampler
// has the same on the host.
//   keys      [2, rows] int64, see noise_keys
//   counters  [rows] int64, that no two draws of one row share
//   returns   [rows, columns] float32; it may be -inf, never +inf
at::Tensor gumbel_noise(const at::Tensor& keys, const at::Tensor& counters, std::int64_t columns);

}  // namespace engine
