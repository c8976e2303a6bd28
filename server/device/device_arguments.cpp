#include "server/device/device_arguments.h"

#include <utility>

#include "server/device/device_environment.h"

namespace server {
namespace {

using platform::Backend;

Error contradiction(std::string what, std::string fix) {
  return {errc::usage, std::move(what), std::move(fix)};
}

Result<void> add_number(platform::DeviceRequest& device, std::optional<int> number) {
  if (!number) return {};
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
  SurveyRequest survey{.request = arguments.request,
                       .matrix = arguments.matrix,
                       .pack_folders = arguments.pack_folders};
  const auto probe_limit = probe_limit_from_environment(environment);
  if (!probe_limit) return probe_limit.error();
  survey.probe_limit = *probe_limit;
  const auto device = arguments.device ? Result<platform::DeviceRequest>(*arguments.device)
                                       : device_from_environment(environment);
  if (!device) return device.error();
  survey.request.device = *device;
  const auto required = gpu_required_by_environment(environment);
  if (!required) return required.error();
  survey.request.require_gpu |= *required;
  if (survey.request.require_gpu && device->backend == Backend::cpu) {
    return contradiction("a GPU is required, and the device is cpu",
                         "Leave out --require-gpu (or unset SCRIBED_REQUIRE_GPU), or name another "
                         "device.");
  }
  const auto numbered = add_number(survey.request.device, arguments.gpu_device);
  if (!numbered) return numbered.error();
  return survey;
}

}  // namespace server
