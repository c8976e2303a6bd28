#include "engine/torch/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/detail/MPSHooksInterface.h>

namespace engine {
namespace {

// at::hasCUDA() would also ask whether there is a device and forget why there is none.
bool build_has(DeviceKind kind) {
  const auto& cuda = at::detail::getCUDAHooks();
  switch (kind) {
    case DeviceKind::cpu:
      return true;
    case DeviceKind::cuda:
      return cuda.isBuilt() && !cuda.hasROCM();
    case DeviceKind::rocm:
      return cuda.isBuilt() && cuda.hasROCM();
    case DeviceKind::mps:
      return at::detail::getMPSHooks().isBuilt();
  }
  return false;
}

// float32 is float32: with TF32, which convolutions have unless they are told otherwise, products
// have the digits of float16, and tokens would not be those of a CPU.
void set_up_cuda() {
  at::Context& context = at::globalContext();
  context.setAllowTF32CuDNN(false);
  context.setAllowTF32CuBLAS(false);
}

}  // namespace

Result<at::Device> torch_device(const Device& device) {
  if (!build_has(device.kind)) {
    return Error{
        Errc::device_unavailable,
        "this build of scribed-worker has no code for the device '" + device_text(device) + "'",
        "Use --device cpu or auto, or install the runtime pack of that device."};
  }
  const auto index = static_cast<c10::DeviceIndex>(device.index);
  switch (device.kind) {
    case DeviceKind::cpu:
      return at::Device(at::kCPU);
    case DeviceKind::cuda:
    case DeviceKind::rocm:  // libtorch has CUDA's name for it, too
      return at::Device(at::kCUDA, index);
    case DeviceKind::mps:
      return at::Device(at::kMPS, index);
  }
  return at::Device(at::kCPU);
}

std::string device_text(const at::Device& device) {
  if (device.is_cuda() && at::detail::getCUDAHooks().hasROCM()) {
    return "rocm:" + std::to_string(device.index());
  }
  return device.is_mps() ? "mps" : device.str();
}

void allow_fused_attention(bool allowed) {
  at::Context& context = at::globalContext();
  context.setSDPUseFlash(allowed);
  context.setSDPUseMemEfficient(allowed);
  context.setSDPUseCuDNN(false);
}

CudnnAttention::CudnnAttention() {
  at::Context& context = at::globalContext();
  context.setSDPUseCuDNN(context.userEnabledFlashSDP());
}

CudnnAttention::~CudnnAttention() {
  at::globalContext().setSDPUseCuDNN(false);
}

void open_device(const at::Device& device, const DeviceOptions& options) {
  at::set_num_threads(options.threads);
  if (device.is_cpu()) return;
  allow_fused_attention(options.flash_attn);
  at::Context& context = at::globalContext();
  context.lazyInitDevice(device.type());
  at::accelerator::setDeviceIndex(device.index());
  if (device.is_cuda()) set_up_cuda();
}

DeviceMemory device_memory(const at::Device& device) {
  if (device.is_cpu()) return {};
  try {
    const auto [free, total] = at::accelerator::getMemoryInfo(device.index());
    return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
  } catch (const c10::Error&) {
    return {};  // MPS does not tell
  }
}

void wait_for_device(const at::Device& device) {
  if (!device.is_cpu()) at::accelerator::synchronizeDevice(device.index());
}

void release_device_memory(const at::Device& device) noexcept {
  if (device.is_cpu()) return;
  try {
    at::accelerator::synchronizeDevice(device.index());
    at::accelerator::emptyCache();
  } catch (const std::exception&) {
    // A device that has failed gives its memory back when the process ends; the server replaces it.
  }
}

}  // namespace engine
