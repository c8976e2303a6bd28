#include "server/commands/device_options.h"

#include <CLI/CLI.hpp>

#include "server/commands/option_values.h"
#include "server/commands/parsed_option.h"

namespace server {
namespace {

using platform::Backend;

Result<std::optional<platform::DeviceRequest>> parse_wanted(std::string_view text) {
  const auto device = platform::parse_device(text);
  if (!device) return Error{errc::usage, device.error().message, device.error().fix};
  return std::optional(*device);
}

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

void add_device_options(CLI::App& command, DeviceArguments& a) {
  const char* group = "Device";
  add_parsed(command, "--device", a.device, parse_wanted,
             "auto, cuda, cuda:N, rocm, rocm:N, mps or cpu. Default: $GPU_BACKEND; cpu if "
             "$USE_CUDA is false; else auto, the best that works (see scribed doctor)")
      ->type_name("DEVICE")
      ->group(group);
  command.add_option("--gpu-device", a.gpu_device, "Number of the card, as in cuda:N; from 0")
      ->check(CLI::Range(0, 1023))
      ->group(group);
  command.add_option("--compute-type", a.compute_type, "Arithmetic of the model")
      ->check(CLI::IsMember({"auto", "float32", "float16", "bfloat16"}))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--flash-attn", a.flash_attn, parse_boolean,
             "Fused attention on GPUs that have it (default true)")
      ->type_name("BOOL")
      ->group(group);
  command
      .add_flag("--require-gpu", a.require_gpu,
                "Fail rather than use the CPU; also $SCRIBED_REQUIRE_GPU")
      ->group(group);
  command
      .add_option("--matrix", a.matrix,
                  "Compatibility matrix (JSON) in place of the one that is built in")
      ->type_name("FILE")
      ->group(group);
}

Result<SurveyRequest> device_survey(const DeviceArguments& arguments,
                                    const Environment& environment) {
  SurveyRequest request;
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
