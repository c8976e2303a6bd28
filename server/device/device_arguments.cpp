#include "server/device/device_arguments.h"

#include <utility>

#include "server/device/device_wish.h"

namespace server {
namespace {

using platform::Backend;

Error contradiction(std::string what, std::string fix) {
  return {errc::usage, std::move(what), std::move(fix)};
}

// --gpu-device is the older way to say the N of cuda:N.
Result<void> add_number(SurveyRequest& request, std::optional<int> number) {
  if (!number) return {};
  auto& device = request.wish.device;
  if (device.backend == Backend::cpu || device.backend == Backend::mps) {
    return contradiction("--gpu-device needs a device with several cards: auto, cuda or rocm",
                         "Leave it out, or name another device (--device, GPU_BACKEND).");
  }
  if (device.index && device.index != number) {
    return contradiction("--gpu-device and the number in --device differ", "Give one of them.");
  }
  device.index = number;
  return {};
}

}  // namespace

Result<SurveyRequest> device_survey(const DeviceArguments& arguments,
                                    const Environment& environment) {
  SurveyRequest request;
  const auto probe_limit = probe_limit_from_environment(environment);
  if (!probe_limit) return probe_limit.error();
  request.probe_limit = *probe_limit;
  request.wish.compute_type = arguments.compute_type;
  request.wish.flash_attn = arguments.flash_attn;
  request.wish.matrix = arguments.matrix;
  if (arguments.device) {
    request.wish.device = *arguments.device;
  } else {
    const auto device = device_from_environment(environment);
    if (!device) return device.error();
    request.wish.device = *device;
  }
  const auto required = gpu_required_by_environment(environment);
  if (!required) return required.error();
  request.wish.require_gpu = arguments.require_gpu || *required;
  if (request.wish.require_gpu && request.wish.device.backend == Backend::cpu) {
    return contradiction("a GPU is required, and the device is cpu",
                         "Leave out --require-gpu (or unset SCRIBED_REQUIRE_GPU), or name another "
                         "device.");
  }
  const auto numbered = add_number(request, arguments.gpu_device);
  if (!numbered) return numbered.error();
  return request;
}

}  // namespace server
