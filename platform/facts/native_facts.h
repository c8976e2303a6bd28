#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/version.h"

// The answers of the vendors' own libraries to a short-lived child that asks them (platform/probe).
namespace platform {

enum class ProbeOutcome {
  not_run,          // there was no reason to ask: no such hardware, or no answer was wanted
  answered,         // devices are listed (there may be none)
  library_missing,  // dlopen failed
  failed,           // a call returned an error
  hung,             // the child did not answer in time and was killed
  crashed,          // the child ended by a signal, or without a valid answer
  not_started,      // no child could be started: the library was not asked
};

const char* name(ProbeOutcome outcome);

struct ProbeResult {
  ProbeOutcome outcome = ProbeOutcome::not_run;
  std::string library{};    // path of what dlopen loaded, or the soname that it could not find
  std::string function{};   // the function that failed, hung or crashed: "cuInit"
  int code = 0;             // its return value
  std::string code_name{};  // "CUDA_ERROR_UNKNOWN"
  std::string text{};       // dlerror, the library's own message, or the end of the child's stderr
  int signal = 0;           // the signal that ended a crashed child
};

struct CudaDevice {
  int index = 0;  // in CUDA's order, after CUDA_VISIBLE_DEVICES
  std::string name{};
  std::string uuid{};         // "GPU-…"
  std::string pci_address{};  // "0000:01:00.0"
  ComputeCapability compute_capability{};
  std::int64_t total_memory = 0;
  int multiprocessors = 0;
  bool integrated = false;
};

struct CudaFacts {
  ProbeResult probe{};
  std::string driver_cuda{};  // the newest CUDA that the driver knows: "12.4"
  std::vector<CudaDevice> devices{};
};

struct NvmlDevice {
  std::string name{};
  std::string uuid{};
  std::string pci_address{};
  std::optional<std::int64_t> total_memory{}, free_memory{};
  bool mig = false;        // MIG mode is on
  bool exclusive = false;  // compute mode allows one process, or none
};

struct NvmlFacts {
  ProbeResult probe{};
  std::string driver_version{};  // "550.54.14"
  std::vector<NvmlDevice> devices{};
};

struct HipDevice {
  int index = 0;
  std::string name{};
  std::string gfx{};  // "gfx906", without ":sramecc+…"
  std::string pci_address{};
  std::int64_t total_memory = 0;
  std::optional<std::int64_t> free_memory{};
};

struct HipFacts {
  ProbeResult probe{};
  std::string runtime_version{};
  std::vector<HipDevice> devices{};
};

struct MetalDevice {
  std::string name{};
  bool low_power = false;
  bool unified_memory = false;
  bool mac2 = false;  // supports the family Mac2
  std::int64_t recommended_working_set = 0;
  std::int64_t allocated = 0;
};

struct MetalFacts {
  ProbeResult probe{};
  std::string macos_version{};
  bool rosetta = false;
  std::vector<MetalDevice> devices{};
};

struct NativeFacts {
  CudaFacts cuda{};
  NvmlFacts nvml{};
  HipFacts hip{};
  MetalFacts metal{};
};

// A library of a runtime pack, loaded in a child with the pack's own search path.
struct LibraryLoad {
  std::string soname{};
  std::string path{};   // the file that dlopen chose; empty if it failed
  std::string error{};  // dlerror
};

// The findings of a child that loaded the mathematical libraries of one pack.
struct PackLibraries {
  ProbeResult probe{};
  std::vector<LibraryLoad> libraries{};
  std::string cudnn{};                     // cudnnGetVersion(): "9.17.1"; empty: not asked
  std::vector<std::string> rocblas_gfx{};  // GPUs that rocBLAS has kernel files for
};

}  // namespace platform
