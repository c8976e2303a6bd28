#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "platform/facts/native_facts.h"

namespace platform {

// How the vendors' libraries are asked: each in a child of its own (`scribed probe cuda`), so that
// one that hangs, aborts or corrupts its memory is a finding and nothing worse.
struct ProbeSettings {
  std::filesystem::path program{};          // `scribed`
  std::chrono::milliseconds limit{15'000};  // for each child; they run side by side
  // Folders of ROCm packs: they may bring a libamdhip64 of their own, which a worker of theirs
  // would load rather than the system's.
  std::vector<std::filesystem::path> rocm_packs{};
};

// Asks the libraries for which `facts` (from read_facts) gives any reason, all at once, and waits
// for them. A vendor with neither a card nor a library here is `not_run`. Blocks.
NativeFacts probe_native(const Facts& facts, const ProbeSettings& settings);

// Loads the mathematical libraries of one pack (cuDNN and its parts, cuBLAS, rocBLAS) in a child.
// Only worth its time where the pack's backend has a device. Blocks.
PackLibraries probe_pack(const std::filesystem::path& pack_folder, const ProbeSettings& settings);

// The child's side: what `scribed probe KIND [FOLDER…]` does; KIND is cuda, nvml, hip, metal or
// pack. Writes lines of JSON (report.h) on descriptor `out`. Returns the exit code: 2 for arguments
// that it does not know, 0 for every answer, also one that names a failure. Only for a process that
// then ends: it gives up core files, and standard output where that is `out`.
int run_probe(const std::string& kind, const std::vector<std::string>& arguments, int out);

}  // namespace platform
