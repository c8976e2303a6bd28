#pragma once

#include <span>

namespace engine::cuda_kernels {

// The kernels as machine code for one compute capability; it also runs on later ones of the same
// major number.
struct KernelBinary {
  int major = 0;
  int minor = 0;
  const void* code = nullptr;  // a cubin
};

// Returns those that the pack was built with, in ascending order (scripts/compile_kernels).
std::span<const KernelBinary> kernel_binaries();

}  // namespace engine::cuda_kernels
