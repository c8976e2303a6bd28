#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/build_info.h"

namespace platform {

// A worker with the libtorch of its build, and the description of that.
struct RuntimePack {
  std::string name{};              // "cpu" in the helper folder, else the folder's name: "cuda-13"
  std::filesystem::path worker{};  // the scribed-worker program
  BuildInfo build{};               // from build-info.json; empty if the file is missing
  // The name under which `scribed packs install` fetches its libraries: "cuda"; empty: the worker
  // finds them by itself.
  std::string fetched_as{};
  // The folders of fetched libraries, as LD_LIBRARY_PATH has them; empty where nothing is fetched,
  // or not yet.
  std::string library_path{};
  std::filesystem::path fetched_to{};  // the folder that holds them

  // Returns whether the worker cannot start yet.
  bool lacks_libraries() const { return !fetched_as.empty() && library_path.empty(); }
};

// Returns the folder of scribed's other programs, for a `scribed` in `program_folder`:
// $SCRIBED_LIBEXEC if it is set, else that folder itself if it has them (a build), else
// ../lib/scribed (installed).
std::filesystem::path helper_folder(const std::filesystem::path& program_folder);

// Returns the packs of the helper folder for `program_folder`: the folder itself, then runtimes/*/
// in name order. Fetched libraries are looked for below the folders of `fetched`, in their order.
std::vector<RuntimePack> find_runtime_packs(const std::filesystem::path& program_folder,
                                            const std::vector<std::filesystem::path>& fetched = {});

// Returns a path that starts the running program, even after its file was replaced, and the folder
// that it was started from.
std::filesystem::path program_file();
std::filesystem::path program_folder();

}  // namespace platform
