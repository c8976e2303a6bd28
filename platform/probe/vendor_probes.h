#pragma once

#include <filesystem>
#include <vector>

#include "platform/facts/native_facts.h"
#include "platform/probe/report.h"

// These functions run in a probe's child, one for each vendor. Each loads the vendor's library,
// reports its calls, and returns the facts; a failure is in the result's `probe`, together with the
// devices that did answer.
namespace platform {

CudaFacts ask_cuda(Report& report);
NvmlFacts ask_nvml(Report& report);

// Asks libamdhip64, from the given packs first (ROCm packs bring their own), then the system's.
HipFacts ask_hip(Report& report, const std::vector<std::filesystem::path>& packs);

// Asks Metal; the outcome is `not_run` except on macOS.
MetalFacts ask_metal(Report& report);

// Loads the mathematical libraries that build-info.json of the pack implies.
PackLibraries ask_pack(Report& report, const std::filesystem::path& pack);

}  // namespace platform
