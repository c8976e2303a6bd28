#pragma once

#include <cstdint>
#include <string>

#include "engine/error.h"

namespace engine {

enum class DeviceKind { cpu, cuda, rocm, mps };

// The device that a model runs on.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;  // of several of a kind

  bool is_cpu() const { return kind == DeviceKind::cpu; }
  bool operator==(const Device&) const = default;
};

// Reads "cpu", "cuda:1", "rocm:0", "mps"; a missing number is 0, and "auto" is the CPU: choosing is
// done before a worker is started. Fails with invalid_option. Only opening the device finds out
// whether it is really there.
Result<Device> parse_device(const std::string& text);

// Returns the name that parse_device reads.
std::string device_text(const Device& device);

struct DeviceOptions {
  Device device{};
  int threads = 1;         // cores that one operation may use
  bool flash_attn = true;  // on a GPU: fused kernels; otherwise products and a softmax
};

struct DeviceMemory {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;
};

}  // namespace engine
