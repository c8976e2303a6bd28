#pragma once

#include <ATen/ATen.h>

#include <string>

#include "engine/device/device.h"
#include "engine/error.h"

// The device that a model runs on, through libtorch's interface for any accelerator: the same code
// for CUDA, ROCm and MPS. What it says of memory counts everybody's use of the device.
namespace engine {

// Returns libtorch's name of the device. Fails with device_unavailable where this build has no code
// for it. Only opening the device finds out whether it is really there.
Result<at::Device> torch_device(const Device& device);

// Returns the device's name as parse_device reads it: "rocm:0" for what libtorch calls cuda:0 in a
// ROCm build.
std::string device_text(const at::Device& device);

// Says whether libtorch may take its fused attention kernels, in the whole process and on every
// device. cuDNN's are left out (CudnnAttention).
void allow_fused_attention(bool allowed);

// Lets libtorch take cuDNN's attention while this lives, where fused attention is allowed. On the
// cards that libtorch prefers it on it is quicker, but makes a plan for each new shape, which can
// take tenths of a second: it is for the encoder, whose shapes are as few as its batches, and not
// for steps. Only the thread that computes on the device has one.
class CudnnAttention {
 public:
  CudnnAttention();
  CudnnAttention(const CudnnAttention&) = delete;
  ~CudnnAttention();
  CudnnAttention& operator=(const CudnnAttention&) = delete;
};

// Makes the device the calling thread's, and sets how libtorch computes in this process. Throws
// what libtorch throws where the device cannot be used: the driver is missing or too old, …
void open_device(const at::Device& device, const DeviceOptions& options);

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
