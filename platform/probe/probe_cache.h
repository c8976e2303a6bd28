#pragma once

#include <filesystem>
#include <string>

#include "platform/probe/probe.h"

// Answers of the vendors' libraries kept in a file (mode 0600), so that the next start asks nothing
// that cannot have changed. Only answers without an error are kept, so that a repaired machine is
// noticed at once. A file that is missing, damaged or not writable is no cache, and never an error.
namespace platform {

// Does what probe_native does. CUDA's, HIP's and Metal's answers are stored under machine_key. NVML
// is asked each time if there is an NVIDIA card, because free memory changes, and if it fails CUDA
// is asked again too. Free memory from HIP is replaced by what `facts` has now. Call probe_native
// if the current state matters.
NativeFacts cached_probe_native(const Facts& facts, const ProbeSettings& settings,
                                const std::filesystem::path& cache_file);

// Does what probe_pack does. The answer is kept until the machine, build-info.json, the worker, or
// a library changes.
PackLibraries cached_probe_pack(const Facts& facts, const PackPlace& pack,
                                const ProbeSettings& settings,
                                const std::filesystem::path& cache_file);

// Returns a short text that differs whenever an answer of the libraries may: by kernel and boot,
// modules, nodes and whether they open, cards, library files with size and time, variables.
std::string machine_key(const Facts& facts);

// Returns whether a smoke run is known to have passed. `key` must name everything it depends on;
// the newest 64 are kept.
bool smoke_passed(const std::filesystem::path& cache_file, const std::string& key);
void remember_smoke(const std::filesystem::path& cache_file, const std::string& key);

// The settings of a smoke run, besides the machine.
struct SmokeRun {
  std::filesystem::path pack_folder{};
  std::string device{};        // "cuda:0"
  std::string compute_type{};  // "float16"
  bool flash_attn = true;
  PackLibraries libraries{};  // found by a probe; empty if it was not asked
};

// Returns the key of a smoke run: the machine, the pack's worker, build and libraries, and the
// settings above.
std::string smoke_key(const Facts& facts, const SmokeRun& run);

}  // namespace platform
