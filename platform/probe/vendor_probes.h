#pragma once

#include <filesystem>
#include <vector>

#include "platform/facts/native_facts.h"
#include "platform/probe/report.h"

// What runs in a probe's child, one function a vendor. Each loads the vendor's library, tells the
// report where it is, and returns what was learned; a failure is in the result's `probe`, together
// with the devices that did answer.
namespace platform {

CudaFacts ask_cuda(Report& report);
NvmlFacts ask_nvml(Report& report);

// libamdhip64 from the given packs first (ROCm packs bring their own), then the system's.
HipFacts ask_hip(Report& report, const std::vector<std::filesystem::path>& packs);

// Everywhere but on macOS: not run.
MetalFacts ask_metal(Report& report);

// The mathematical libraries that build-info.json of the pack implies.
PackLibraries ask_pack(Report& report, const std::filesystem::path& pack);

}  // namespace platform
