#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace platform {

// Where a worker's libtorch would find the libraries it needs: by the paths written into the
// worker, into the part of libtorch that belongs to the vendor, and by LD_LIBRARY_PATH, in the
// order in which the loader goes through them. So a foreign cuDNN that would win there wins here.
class LibrarySearch {
 public:
  // `torch_library`: "libtorch_cuda.so" or "libtorch_hip.so".
  LibrarySearch(const std::filesystem::path& pack, const std::string& torch_library);

  // For what the library `file` loads by itself.
  explicit LibrarySearch(const std::filesystem::path& file);

  // The file; nothing where it is in none of these folders, which leaves the system's.
  std::optional<std::filesystem::path> find(const std::string& name) const;

 private:
  std::vector<std::filesystem::path> folders_{};
};

}  // namespace platform
