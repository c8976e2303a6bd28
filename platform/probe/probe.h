#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "platform/facts/native_facts.h"

namespace platform {

// Each vendor's library is asked in a child of its own (`scribed probe cuda`), so that a library
// that hangs, aborts or corrupts its memory is only a finding.
struct ProbeSettings {
  std::filesystem::path program{};          // `scribed`
  std::chrono::milliseconds limit{15'000};  // for each child; they run in parallel
  // Folders of ROCm packs. They may have their own libamdhip64, which their workers would load
  // instead of the system's.
  std::vector<std::filesystem::path> rocm_packs{};
};

// The place of a runtime pack.
struct PackPlace {
  std::filesystem::path folder{};  // of its worker
  std::string library_path{};      // RuntimePack::library_path
};

// Asks the libraries for which `facts` (from read_facts) gives any reason, in parallel, and blocks
// until they have answered. A vendor with neither a card nor a library here is `not_run`.
NativeFacts probe_native(const Facts& facts, const ProbeSettings& settings);

// Loads the mathematical libraries of one pack (cuDNN and its parts, cuBLAS, rocBLAS) in a child,
// and blocks. It is only worth the time where the pack's backend has a device.
PackLibraries probe_pack(const PackPlace& pack, const ProbeSettings& settings);

// Runs `scribed probe KIND [FOLDER…]` in the child; KIND is cuda, nvml, hip, metal or pack. Writes
// lines of JSON (report.h) to descriptor `out`. Returns the exit code: 2 for unknown arguments, 0
// for every answer, also one that names a failure. The process must end afterwards: it gives up
// core files, and standard output where that is `out`.
int run_probe(const std::string& kind, const std::vector<std::string>& arguments, int out);

}  // namespace platform
