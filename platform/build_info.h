#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/device.h"
#include "platform/version.h"

namespace platform {

// What a runtime pack was built with: its build-info.json. Empty strings and lists: not said.
struct BuildInfo {
  Backend backend = Backend::cpu;
  std::string torch{};    // "2.11.0"
  std::string variant{};  // "cpu", "cu130", "rocm7.2"
  std::string cuda{};     // "13.0"
  std::string cudnn{};    // "9.17.1.4"
  std::string rocm{};
  std::vector<ComputeCapability> arch_list{};  // kernels for these (SASS)
  std::vector<ComputeCapability> ptx_list{};   // may be compiled by the driver for newer ones
  std::vector<std::string> gfx_list{};
  std::string origin = "pytorch";  // who built libtorch: "pytorch", "amd"
};

// Indifferent to missing and unknown fields; a field of a wrong type counts as missing.
BuildInfo parse_build_info(const nlohmann::json& json);

}  // namespace platform
