#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

#include "engine/error.h"

// The device that a model runs on, through libtorch's interface for any accelerator: the same code
// for CUDA, ROCm and MPS. What it says of memory counts everybody's use of the device.
namespace engine {

// Reads "cpu", "cuda:1", "rocm:0", "mps"; a missing number is 0, and "auto" is the CPU: choosing is
// done before a worker is started. Errors: a text that means nothing, and a device that this build
// has no code for. Only opening the device finds out whether it is really there.
Result<at::Device> parse_device(const std::string& text);

// Returns the name that parse_device reads: "rocm:0" for what libtorch calls cuda:0 in a ROCm
// build.
std::string device_text(const at::Device& device);

struct DeviceOptions {
  at::Device device = at::kCPU;
  int threads = 1;         // cores that one operation may use
  bool flash_attn = true;  // on a GPU: fused kernels; otherwise products and a softmax
};

// Says whether libtorch may take its fused attention kernels, in the whole process and on every
// device.
void allow_fused_attention(bool allowed);

// Makes the device the calling thread's, and sets how libtorch computes in this process. Throws
// what libtorch throws where the device cannot be used: the driver is missing or too old, …
void open_device(const DeviceOptions& options);

struct DeviceMemory {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;
};

// Returns zeros on a CPU and where the device does not tell.
DeviceMemory device_memory(const at::Device& device);

// Returns the vendor's name of the card; empty where this build cannot ask.
std::string device_name(const at::Device& device);

// Returns when the device has done all that it was told to do; needed where time is measured.
void wait_for_device(const at::Device& device);

// Gives memory that was freed, and that libtorch keeps for later, back to the device. Never throws:
// it is called when things end, maybe because the device has failed.
void release_device_memory(const at::Device& device) noexcept;

}  // namespace engine
