#pragma once

#include <optional>
#include <string>

#include "platform/device.h"
#include "server/base/environment.h"
#include "server/base/error.h"
#include "server/device/survey.h"

namespace server {

// What every command is told of the device that runs a model, or is judged for it.
struct DeviceArguments {
  std::optional<platform::DeviceRequest> device{};  // nothing: the environment says, or auto
  std::optional<int> gpu_device{};                  // the older way to say the N of cuda:N
  platform::Request request{};  // what else is wanted; its device is filled in by device_survey()
  std::string matrix{};         // a file in place of the built-in matrix; empty: that
};

// The arguments together with the environment; the command line wins. Its model, sizes and cache
// are left for the caller.
Result<SurveyRequest> device_survey(const DeviceArguments& arguments,
                                    const Environment& environment);

}  // namespace server
