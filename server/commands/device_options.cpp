#include "server/commands/device_options.h"

#include <CLI/CLI.hpp>

#include "server/commands/parsed_option.h"
#include "server/options/option_values.h"

namespace server {
namespace {

Result<std::optional<platform::DeviceRequest>> parse_wanted(std::string_view text) {
  const auto device = platform::parse_device(text);
  if (!device) return Error{errc::usage, device.error().message, device.error().fix};
  return std::optional(*device);
}

}  // namespace

void add_device_options(CLI::App& command, DeviceArguments& a) {
  const char* group = "Device";
  add_parsed(command, "--device", a.device, parse_wanted,
             "auto, cuda, cuda:N, rocm, rocm:N, mps or cpu. Default: $GPU_BACKEND; cpu if "
             "$USE_CUDA is false; else auto, the best that works (see scribed doctor)")
      ->type_name("DEVICE")
      ->group(group);
  command.add_option("--gpu-device", a.gpu_device, "Number of the GPU, as in cuda:N, from 0")
      ->check(CLI::Range(0, 1023))
      ->group(group);
  command.add_option("--compute-type", a.request.compute_type, "Compute type of the model")
      ->check(CLI::IsMember({"auto", "float32", "float16", "bfloat16", "int8"}))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--flash-attn", a.request.flash_attn, parse_boolean,
             "Use fused attention on GPUs that support it (default true)")
      ->type_name("BOOL")
      ->group(group);
  command
      .add_flag("--require-gpu", a.request.require_gpu,
                "Fail instead of using the CPU; also $SCRIBED_REQUIRE_GPU")
      ->group(group);
  command
      .add_option("--matrix", a.matrix, "Compatibility matrix (JSON) instead of the built-in one")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace server
