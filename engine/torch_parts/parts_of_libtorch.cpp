#include "engine/torch_parts/parts_of_libtorch.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <utility>

#include "engine/speakers/networks/load_speaker_networks.h"
#include "engine/torch/device.h"
#include "engine/torch/smoke_run.h"
#include "engine/torch/torch_error.h"
#include "engine/whisper/bench/bench_run.h"
#include "engine/whisper/torch_model/torch_model.h"

namespace engine {
namespace {

struct OpenDevice {
  explicit OpenDevice(const at::Device& opened) : device(opened) {}
  ~OpenDevice() { release_device_memory(device); }
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;

  at::Device device;
};

// Calls `function` with libtorch's name of the device; what it throws becomes the error.
template <class Function>
auto with_device(const Device& device, const char* where, const Function& function)
    -> decltype(function(at::Device(at::kCPU))) {
  const auto found = torch_device(device);
  if (!found) return found.error();
  try {
    return function(*found);
  } catch (...) {
    return error_of_torch_exception(where);
  }
}

Result<void> check_device(const Device& device) {
  return with_device(device, "device", [](const at::Device&) { return Result<void>(); });
}

Result<std::shared_ptr<void>> open_on_this_thread(const DeviceOptions& options) {
  return with_device(options.device, "device", [&](const at::Device& device) {
    auto held = std::make_shared<OpenDevice>(device);
    open_device(device, options);
    return Result<std::shared_ptr<void>>(std::move(held));
  });
}

Result<void> try_device(const Device& device, ComputeType type) {
  return with_device(device, "device", [&](const at::Device& found) {
    const c10::InferenceMode inference;
    return smoke_run(placement_of(found, type));
  });
}

Result<DeviceFacts> describe_device(const Device& device) {
  return with_device(device, "device", [](const at::Device& found) {
    return Result<DeviceFacts>(DeviceFacts{device_name(found), device_memory(found)});
  });
}

Result<std::unique_ptr<Model>> load_whisper(std::shared_ptr<const Weights> weights,
                                            const SpecialTokens& specials, const Device& device,
                                            ComputeType type, const MemoryWish& wish) {
  return with_device(device, "model", [&](const at::Device& found) {
    return load_torch_model(std::move(weights), placement_of(found, type), make_step_tools(found),
                            wish, specials);
  });
}

Result<std::shared_ptr<const SpeakerNetworks>> load_networks(const std::filesystem::path& folder,
                                                             const DeviceOptions& options,
                                                             ComputeType type) {
  return with_device(options.device, "speakers", [&](const at::Device& found) {
    if (found.is_cpu()) at::set_num_threads(options.threads);
    return load_speaker_networks(folder, options.device, type);
  });
}

Result<protocol::worker::BenchResult> bench(const protocol::worker::Bench& request) {
  return with_device({}, "bench", [&](const at::Device&) { return bench_whisper(request); });
}

}  // namespace

const TorchParts& parts_of_libtorch() {
  static constexpr TorchParts parts{.check_device = check_device,
                                    .open_device = open_on_this_thread,
                                    .try_device = try_device,
                                    .describe_device = describe_device,
                                    .load_whisper = load_whisper,
                                    .load_speaker_networks = load_networks,
                                    .bench_whisper = bench};
  return parts;
}

}  // namespace engine
