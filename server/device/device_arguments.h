#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/device.h"
#include "server/base/environment.h"
#include "server/base/error.h"
#include "server/device/survey.h"

namespace server {

// The arguments about the device, which every command that runs a model or judges it takes.
struct DeviceArguments {
  std::optional<platform::DeviceRequest> device{};  // empty: from the environment, else auto
  std::optional<int> gpu_device{};                  // the older way to give the N of cuda:N
  platform::DeviceRequirements request{};           // other wishes; device_survey() sets its device
  std::string matrix{};                             // a file that replaces the built-in matrix
  // The folders below which fetched libraries of runtime packs lie, best first.
  std::vector<std::filesystem::path> pack_folders{};
};

// Combines the arguments with the environment; the command line wins. The caller sets the model,
// the sizes and the cache.
Result<SurveyRequest> device_survey(const DeviceArguments& arguments,
                                    const Environment& environment);

}  // namespace server
