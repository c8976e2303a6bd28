#pragma once

#include "engine/cuda_kernels/portable.h"

#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

// Reduces a number of each thread to one, which is then in numbers[0]; the order is always the
// same.
template <class Reduce>
KERNEL_BODY void reduce_threads(const Block& block, float* numbers, Reduce reduce) {
  for (int half = threads_of_a_block / 2; half > 0; half /= 2) {
    block.each_thread([&](int thread) {
      if (thread < half) numbers[thread] = reduce(numbers[thread], numbers[thread + half]);
    });
  }
}

}  // namespace
