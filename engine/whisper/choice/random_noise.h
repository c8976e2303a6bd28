#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>

namespace engine {

// Returns the two 32-bit keys of one row's random numbers. Rows of one seed have different ones
// (SplitMix64).
std::pair<std::int64_t, std::int64_t> noise_keys(std::uint64_t seed, int row);

// Returns noise of the standard Gumbel distribution: the largest of logits with it is a sample of
// their softmax (Gumbel-max). Each number depends only on its key, its counter and its column, so
// that the same seed gives the same samples wherever and beside whatever they are drawn. The hash
// is C. Wellons' lowbias32.
//   keys      [2, rows] int64, each below 2^32
//   counters  [rows] int64, that no two draws of one row share
//   returns   [rows, columns] float32; it may be -inf, never +inf
at::Tensor gumbel_noise(const at::Tensor& keys, const at::Tensor& counters, std::int64_t columns);

}  // namespace engine
