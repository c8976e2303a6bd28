#include "platform/probe/cache_key.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "platform/facts/read_facts.h"
#include "platform/probe/file_stamp.h"
#include "platform/probe/pack_libraries.h"
#include "platform/probe/probe_cache.h"

namespace platform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Computes FNV-1a of 64 bits, which is enough to notice a change; it protects against nobody.
std::string digest(const json& value) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : value.dump(-1, ' ', false, json::error_handler_t::replace)) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  std::string hex;
  for (int shift = 60; shift >= 0; shift -= 4) hex += "0123456789abcdef"[hash >> shift & 15];
  return hex;
}

// Returns the id of this boot, because a reboot can break or repair a driver.
std::string boot_id() {
  std::ifstream file(System::of_this_process().root / "proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

json stamp(const fs::path& path) {
  const FileStamp found = stamp_of(path);
  return {path.string(), found.size, found.modified};
}

json describe(const std::vector<DeviceNode>& nodes) {
  json list = json::array();
  for (const auto& node : nodes) list.push_back({node.path, node.exists, node.open_error});
  return list;
}

json describe(const std::vector<LibraryFile>& libraries) {
  json list = json::array();
  for (const auto& library : libraries) list.push_back({library.path, stamp(library.target)});
  return list;
}

json describe(const AmdFacts& amd) {
  json nodes = json::array();
  for (const auto& node : amd.nodes) nodes.push_back({node.node, node.gfx, node.pci_address});
  return {amd.amdgpu,           amd.amdgpu_version, describe({amd.kfd}),
          describe(amd.render), std::move(nodes),   describe(amd.libraries)};
}

json describe(const NvidiaFacts& nvidia) {
  return {nvidia.module_version, nvidia.open_module, nvidia.nouveau, describe(nvidia.nodes),
          describe(nvidia.libraries)};
}

json pack_files(const fs::path& pack) {
  return {stamp(pack / "build-info.json"), stamp(pack / "scribed-worker")};
}

}  // namespace

std::string machine_key(const Facts& facts) {
  json cards = json::array();
  for (const auto& gpu : facts.pci) {
    cards.push_back({gpu.address, gpu.vendor, gpu.device, gpu.driver});
  }
  json variables = json::array();
  for (const auto& one : facts.environment) variables.push_back({one.name, one.value});
  // These variables decide which libraries are loaded at all, and which kernels rocBLAS finds.
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "ROCBLAS_TENSILE_LIBPATH"}) {
    variables.push_back(variable(name));
  }
  return digest(json{facts.os.kernel, facts.os.container, boot_id(), std::move(cards),
                     describe(facts.nvidia), describe(facts.amd), std::move(variables)});
}

std::string smoke_key(const Facts& facts, const SmokeRun& run) {
  return digest(json{machine_key(facts), pack_files(run.pack_folder), stamps_of(run.libraries),
                     run.device, run.compute_type, run.flash_attn});
}

json stamps_of(const PackLibraries& libraries) {
  json stamps = json::array();
  for (const auto& library : libraries.libraries) {
    if (library.path.empty()) continue;
    stamps.push_back(stamp(library.path));
    // A folder's stamp changes when a file comes or goes.
    if (library.soname.starts_with("librocblas.")) {
      stamps.push_back(stamp(rocblas_kernel_folder(library.path)));
    }
  }
  return stamps;
}

std::string pack_key(const Facts& facts, const PackPlace& pack) {
  return digest(json{machine_key(facts), pack_files(pack.folder), pack.library_path});
}

std::string native_key(const Facts& facts, const ProbeSettings& settings) {
  json packs = json::array();
  for (const auto& pack : settings.rocm_packs) packs.push_back(pack_files(pack));
  return digest(json{machine_key(facts), stamp(settings.program), std::move(packs)});
}

}  // namespace platform
