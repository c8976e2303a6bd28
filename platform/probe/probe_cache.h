#pragma once

#include <filesystem>
#include <string>

#include "platform/probe/probe.h"

// Answers of the vendors' libraries kept in a file (mode 0600), so that the next start asks nothing
// that cannot have changed. What is kept: answers without an error only, so that a repaired machine
// is seen at once. A file that is missing, damaged or not writable is no cache, and never an error.
namespace platform {

// As probe_native. CUDA's, HIP's and Metal's answers are kept together with what they depend on
// (machine_key); NVML is asked each time where there is an NVIDIA card, because free memory
// changes, and where it fails CUDA is asked again too. Free memory that HIP told is replaced by
// what `facts` says now. Where the truth of this moment is wanted, probe_native is the one to call.
NativeFacts cached_probe_native(const Facts& facts, const ProbeSettings& settings,
                                const std::filesystem::path& cache_file);

// As probe_pack. Kept until the machine, build-info.json, the worker, or a library changes.
PackLibraries cached_probe_pack(const Facts& facts, const std::filesystem::path& pack_folder,
                                const ProbeSettings& settings,
                                const std::filesystem::path& cache_file);

// A short text that differs whenever an answer of the libraries may: kernel and boot, modules,
// nodes and whether they open, cards, library files with size and time, variables.
std::string machine_key(const Facts& facts);

// Whether a smoke run is known to have passed. `key` is to name everything it depends on; the
// newest 64 are kept.
bool smoke_passed(const std::filesystem::path& cache_file, const std::string& key);
void remember_smoke(const std::filesystem::path& cache_file, const std::string& key);

// What a smoke run is run with, beside the machine.
struct SmokeRun {
  std::filesystem::path pack_folder{};
  std::string device{};        // "cuda:0"
  std::string compute_type{};  // "float16"
  bool flash_attn = true;
  PackLibraries libraries{};  // of the pack, as a probe found them; none where it was not asked
};

// A key for it: the machine, the pack's worker, build and libraries, and the settings above.
std::string smoke_key(const Facts& facts, const SmokeRun& run);

}  // namespace platform
