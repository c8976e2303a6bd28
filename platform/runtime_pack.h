#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/build_info.h"

namespace platform {

// A worker with the libtorch it was linked with, and what its build says of itself.
struct RuntimePack {
  std::string name{};              // "cpu" beside the programs, else its folder's: "cuda-13"
  std::filesystem::path worker{};  // the scribed-worker program
  BuildInfo build{};               // of build-info.json; empty where the file is missing
};

// Packs beside the programs in `program_folder`: the folder itself, then runtimes/*/ in name order.
// $SCRIBED_LIBEXEC, where it is set, is searched instead.
std::vector<RuntimePack> find_runtime_packs(const std::filesystem::path& program_folder);

// A path to start the running program by, also after its file was replaced; and the folder that it
// was started from.
std::filesystem::path program_file();
std::filesystem::path program_folder();

}  // namespace platform
