#pragma once

#include <cstddef>

// These functions work on rows of channels, one for each moment of a sound. They need AVX2 or NEON;
// the numbers of channels are multiples of 8.
namespace engine::kernels {

// Writes the largest of three rows, `stride` apart, for each channel; pool_sizes takes |x|.
void pool(const float* x, std::ptrdiff_t stride, int channels, float* out);
void pool_sizes(const float* x, std::ptrdiff_t stride, int channels, float* out);

// Instance norm (eps 1e-5, biased variance) with a weight and a bias for each channel, and a leaky
// ReLU, in place.
//   x  [rows, channels]
void norm_channels(float* x, int rows, int channels, const float* weight, const float* bias);

// The ReLU has a slope of 0.01 below zero.
void leaky_relu(float* x, int n);

// Writes x + y and x - y.
void add_and_subtract(const float* x, const float* y, int n, float* sums, float* differences);

// One step of an LSTM with n cells for one row.
//   gates  [4, n]  before their functions: input, forget, new, output
//   cells  [n]     in and out
//   out    [n]     the state that others see
void lstm_step(const float* gates, int n, float* cells, float* out);

}  // namespace engine::kernels
