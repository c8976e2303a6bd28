#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/cpu.h"
#include "platform/facts/native_facts.h"
#include "platform/version.h"

// These facts describe what was seen of the machine, without any judgement. Sizes are bytes. Every
// part may be empty: nothing here says whether that is bad.
namespace platform {

struct OsFacts {
  std::string name{};          // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel{};        // "6.1.0-28-amd64"
  std::string architecture{};  // "x86_64", "arm64"
  std::string glibc{};         // "2.36"
  std::string container{};     // "docker", "podman", "kubernetes", "lxc", "container"; empty: none
  bool wsl = false;            // Windows Subsystem for Linux 2 (/dev/dxg or the kernel's name)
  bool macos = false;
  // System calls that scribed needs and that fail: "pidfd_open: Operation not permitted".
  std::vector<std::string> refused_calls{};
};

struct MemoryFacts {
  std::int64_t total = 0;
  std::int64_t available = 0;            // MemAvailable
  std::optional<std::int64_t> limit{};   // the lowest of the cgroup and its parents
  std::optional<std::int64_t> in_use{};  // used by that cgroup, without droppable page cache
  std::int64_t free() const;             // what a process may still take, the lesser of both
};

// A part of the machine whose CPUs have memory of their own, as far as this process may use it.
struct NumaNode {
  int node = 0;             // the kernel's number
  std::vector<int> cpus{};  // logical CPUs, ascending
  int cores = 0;            // without SMT siblings
};

// A display or accelerator function on the PCI bus, whether or not its driver works.
struct PciGpu {
  std::string address{};  // "0000:01:00.0"
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  std::string name{};  // from the system's pci.ids; empty if there is none
  std::string
      driver{};  // the kernel driver that is bound: "nvidia", "nouveau", "amdgpu", "vfio-pci"
};

inline constexpr std::uint16_t vendor_nvidia = 0x10de;
inline constexpr std::uint16_t vendor_amd = 0x1002;
inline constexpr std::uint16_t vendor_intel = 0x8086;

struct DeviceNode {
  std::string path{};
  bool exists = false;
  int open_error = 0;  // errno of opening it for reading and writing; 0: it opens
};

// A library that the loader would find, in the order in which it would look.
struct LibraryFile {
  std::string soname{};   // "libcuda.so.1"
  std::string path{};     // as found: LD_LIBRARY_PATH, the ld.so cache, usual folders
  std::string target{};   // with links resolved: ".../libcuda.so.550.54.14"
  std::string version{};  // the suffix of the target: "550.54.14"; empty if it has none
};

struct NvidiaFacts {
  std::string module_version{};          // version of the loaded kernel module; empty: not loaded
  std::string module_read_from{};        // "/proc/driver/nvidia/version"
  bool open_module = false;              // NVIDIA's open kernel modules
  bool nouveau = false;                  // the module nouveau is loaded
  std::vector<DeviceNode> nodes{};       // nvidiactl, nvidia-uvm and nvidia0… ; on WSL dxg
  std::vector<LibraryFile> libraries{};  // every libcuda.so.1 and libnvidia-ml.so.1
};

struct KfdNode {
  int node = 0;
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  std::string gfx{};  // "gfx1030"
  std::string pci_address{};
  std::optional<std::int64_t> vram_total{}, vram_used{}, gtt_total{};
  bool integrated = false;  // judged by the ratio of VRAM and GTT
};

struct AmdFacts {
  bool amdgpu = false;           // the kernel module is loaded
  std::string amdgpu_version{};  // version of a module that does not come with the kernel
  DeviceNode kfd{};
  std::vector<DeviceNode> render{};
  std::vector<KfdNode> nodes{};          // GPUs only
  std::vector<LibraryFile> libraries{};  // libamdhip64.so.5 to .7, librocblas.so.*
};

struct EnvironmentVariable {
  std::string name{};
  std::string value{};
};

struct Facts {
  OsFacts os{};
  CpuFacts cpu{};
  std::vector<NumaNode> numa_nodes{};  // those with CPUs; empty: the system does not tell
  MemoryFacts memory{};
  std::vector<PciGpu> pci{};
  NvidiaFacts nvidia{};
  AmdFacts amd{};
  std::vector<EnvironmentVariable> environment{};  // variables that are set and influence GPUs
  NativeFacts native{};                            // answers of the vendors' libraries
};

}  // namespace platform
