#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace platform {

// A worker with the libtorch it was linked with, and what its build says of itself.
struct RuntimePack {
  std::filesystem::path worker;  // the scribed-worker program
  nlohmann::json build_info;     // torch, cuda, cudnn, arch_list; {} where the file is missing
};

// Packs beside the programs in `program_folder`: the folder itself, then packs/*/ in name order.
// $SCRIBED_LIBEXEC, where it is set, is searched instead.
std::vector<RuntimePack> find_runtime_packs(const std::filesystem::path& program_folder);

// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace platform
