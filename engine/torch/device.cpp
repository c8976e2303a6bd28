#include "engine/torch/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/detail/MPSHooksInterface.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace engine {
namespace {

std::optional<c10::DeviceIndex> parse_index(std::string_view text) {
  c10::DeviceIndex index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && index >= 0 ? std::optional(index) : std::nullopt;
}

// at::hasCUDA() would also ask whether there is a device and forget why there is none.
bool build_has(std::string_view backend) {
  const auto& cuda = at::detail::getCUDAHooks();
  if (backend == "cuda") return cuda.isBuilt() && !cuda.hasROCM();
  if (backend == "rocm") return cuda.isBuilt() && cuda.hasROCM();
  if (backend == "mps") return at::detail::getMPSHooks().isBuilt();
  return true;
}

// TF32 keeps float32's range and rounds its products to 10 bits, as float16 has them; Whisper's
// text does not change by it.
void set_up_cuda() {
  at::Context& context = at::globalContext();
  context.setBenchmarkCuDNN(true);
  context.setAllowTF32CuDNN(true);
  context.setAllowTF32CuBLAS(true);
}

}  // namespace

Result<at::Device> parse_device(const std::string& text) {
  const auto colon = text.find(':');
  const std::string backend = text.substr(0, colon);
  const bool numbered = backend == "cuda" || backend == "rocm";
  const auto index = colon == std::string::npos ? std::optional<c10::DeviceIndex>(0)
                     : numbered ? parse_index(std::string_view(text).substr(colon + 1))
                                : std::nullopt;
  const bool known = numbered || backend == "cpu" || backend == "auto" || backend == "mps";
  if (!known || !index) {
    return Error{Errc::invalid_option, "the device '" + text + "' is not known",
                 "Use auto, cpu, cuda:N, rocm:N or mps."};
  }
  if (!build_has(backend)) {
    return Error{Errc::device_unavailable,
                 "this build of scribed-worker has no code for the device '" + text + "'",
                 "Use --device cpu or auto, or install the runtime pack of that device."};
  }
  if (numbered) return at::Device(at::kCUDA, *index);
  if (backend == "mps") return at::Device(at::kMPS, *index);
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
  context.setSDPUseCuDNN(allowed);
}

void open_device(const DeviceOptions& options) {
  at::set_num_threads(options.threads);
  if (options.device.is_cpu()) return;
  allow_fused_attention(options.flash_attn);
  at::Context& context = at::globalContext();
  context.lazyInitDevice(options.device.type());
  at::accelerator::setDeviceIndex(options.device.index());
  if (options.device.is_cuda()) set_up_cuda();
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
