#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace platform {

// Finds libraries as a worker's libtorch would: by the paths in the worker, by those in the
// vendor's part of libtorch, and by LD_LIBRARY_PATH, in the loader's order. So a foreign cuDNN that
// would be loaded there is found here.
class LibrarySearch {
 public:
  // `torch_library` is "libtorch_cuda.so" or "libtorch_hip.so".
  LibrarySearch(const std::filesystem::path& pack, const std::string& torch_library);

  // Makes a search for what the library `file` itself loads.
  explicit LibrarySearch(const std::filesystem::path& file);

  // Returns the file; empty if it is in none of these folders, so that the system's is used.
  std::optional<std::filesystem::path> find(const std::string& name) const;

 private:
  std::vector<std::filesystem::path> folders_{};
};

}  // namespace platform
