#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "platform/device.h"
#include "server/device/survey.h"
#include "server/error.h"
#include "server/store/data_folder.h"

namespace server {

// The options that every command has that runs a model, or judges where one could run.
struct DeviceArguments {
  std::optional<platform::DeviceRequest> device{};  // nothing: the environment says, or auto
  std::optional<int> gpu_device{};
  std::string compute_type = "auto";
  bool flash_attn = true;
  bool require_gpu = false;
  std::string matrix{};
};

// Puts the options on `command`. `arguments` must outlive it.
void add_device_options(CLI::App& command, DeviceArguments& arguments);

// The arguments together with the environment; the command line wins. Its model and sizes are left
// for the caller.
Result<SurveyRequest> device_survey(const DeviceArguments& arguments,
                                    const Environment& environment);

}  // namespace server
