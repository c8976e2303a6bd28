#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/build_info.h"

namespace platform {

// The mathematical libraries that a libtorch of this build loads at run time.
struct PackLibraryNames {
  std::string cudnn{};                     // "libcudnn.so.9", which loads the parts itself
  std::vector<std::string> cudnn_parts{};  // "libcudnn_ops.so.9", …
  std::vector<std::string> cublas{};       // "libcublas.so.13", "libcublasLt.so.13"
  std::vector<std::string> rocblas{};      // alternatives, best first
};

PackLibraryNames pack_library_names(const BuildInfo& build);

// Returns where the library `rocblas` looks for its kernel files: in its own folder, or in the one
// that ROCBLAS_TENSILE_LIBPATH names if it is set.
std::filesystem::path rocblas_kernel_folder(const std::filesystem::path& rocblas);

// Returns the GPUs for which there are kernel files, sorted.
std::vector<std::string> rocblas_kernels(const std::filesystem::path& rocblas);

}  // namespace platform
