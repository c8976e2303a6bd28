#pragma once

#include <string>
#include <vector>

#include "platform/verdict/verdict.h"

// These functions make machines to judge: each starts sound, and a test breaks one thing.
namespace platform::test {

struct World {
  Facts facts{};
  std::vector<Pack> packs{};
  DeviceRequirements request{};

  Pack& pack(Backend backend);
  void set(const std::string& variable, const std::string& value);
  // Makes a library list no device and answer this instead; NVML still answers if CUDA fails.
  void cuda_answers(ProbeResult probe);
  void nvml_fails(int code);
  void hip_answers(ProbeResult probe);
};

// Returns a PC with 16 GiB of memory, no GPU, and a CPU pack.
World plain_machine();
// Returns a machine with a GeForce RTX 3060 of 12 GiB and a CUDA 13 pack.
World nvidia_machine();
// Returns a machine with a Radeon RX 7900 XTX of 24 GiB and a ROCm pack.
World amd_machine();
// Returns a Mac with an M2 and an MPS pack.
World apple_machine();
// Returns WSL 2 with a GeForce RTX 3060 in its Windows.
World wsl_machine();

const Matrix& built_in();

std::vector<Verdict> judge(const World& world);
// Returns the only verdict of a backend; for the CPU, that of the CPU itself.
Verdict judge(const World& world, Backend backend);

inline constexpr std::int64_t mib = 1024 * 1024;
inline constexpr std::int64_t gib_bytes = 1024 * mib;

// One fault of a machine and the finding that it must give.
struct Case {
  std::string name{};
  std::string code{};
  Severity severity = Severity::blocked;
  Backend backend = Backend::cuda;  // the backend whose verdict has the finding
  World world{};
};

// These return the cases by vendor, in the order of causes.
std::vector<Case> nvidia_driver_cases();
std::vector<Case> cuda_device_cases();
std::vector<Case> amd_cases();
std::vector<Case> apple_cases();
std::vector<Case> cpu_cases();
std::vector<Case> all_cases();

}  // namespace platform::test
