#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/device.h"
#include "platform/version.h"

namespace platform {

// The build of a runtime pack, from its build-info.json. Empty strings and lists: unknown.
struct BuildInfo {
  Backend backend = Backend::cpu;
  std::string torch{};    // "2.11.0"
  std::string variant{};  // "cpu", "cu130", "rocm7.2"
  std::string cuda{};     // "13.0"
  std::string cudnn{};    // "9.17.1.4"
  std::string rocm{};
  std::vector<ComputeCapability> arch_list{};  // architectures with kernels (SASS)
  // The architectures with PTX, which the driver compiles for newer ones.
  std::vector<ComputeCapability> ptx_list{};
  std::vector<std::string> gfx_list{};
  std::string origin = "pytorch";  // who built libtorch: "pytorch", "amd"
};

// Ignores missing and unknown fields; a field of a wrong type counts as missing.
BuildInfo parse_build_info(const nlohmann::json& json);

}  // namespace platform
