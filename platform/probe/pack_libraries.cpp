#include "platform/probe/pack_libraries.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "platform/version.h"

namespace platform {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cudnn_parts(int major) {
  const std::string suffix = ".so." + std::to_string(major);
  std::vector<std::string_view> parts;
  if (major == 8) {
    parts = {"ops_infer", "cnn_infer", "adv_infer", "ops_train", "cnn_train", "adv_train"};
  } else {
    parts = {"graph",
             "ops",
             "cnn",
             "adv",
             "heuristic",
             "engines_precompiled",
             "engines_runtime_compiled"};
  }
  std::vector<std::string> names;
  for (const auto part : parts) names.push_back("libcudnn_" + std::string(part) + suffix);
  return names;
}

}  // namespace

PackLibraryNames pack_library_names(const BuildInfo& build) {
  PackLibraryNames names;
  if (build.backend == Backend::rocm) {
    // rocBLAS has a major version of its own; some builds of libtorch strip the suffix.
    names.rocblas = {"librocblas.so", "librocblas.so.5", "librocblas.so.4", "librocblas.so.3"};
  }
  if (build.backend != Backend::cuda) return names;
  if (const auto cudnn = Version::parse(build.cudnn)) {
    names.cudnn = "libcudnn.so." + std::to_string(cudnn->major());
    names.cudnn_parts = cudnn_parts(cudnn->major());
  }
  if (const auto cuda = Version::parse(build.cuda)) {
    const std::string suffix = ".so." + std::to_string(cuda->major());
    names.cublas = {"libcublasLt" + suffix, "libcublas" + suffix};
  }
  return names;
}

fs::path rocblas_kernel_folder(const fs::path& rocblas) {
  const char* variable = std::getenv("ROCBLAS_TENSILE_LIBPATH");
  if (variable != nullptr && *variable != '\0') return variable;
  return rocblas.parent_path() / "rocblas" / "library";
}

std::vector<std::string> rocblas_kernels(const fs::path& rocblas) {
  constexpr std::string_view before = "TensileLibrary_lazy_";
  constexpr std::string_view after = ".dat";
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(rocblas_kernel_folder(rocblas), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (!file.starts_with(std::string(before) + "gfx") || !file.ends_with(after)) continue;
    names.push_back(file.substr(before.size(), file.size() - before.size() - after.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace platform
