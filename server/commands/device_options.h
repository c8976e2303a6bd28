#pragma once

#include <CLI/App.hpp>

#include "server/device/device_arguments.h"

namespace server {

// Adds the options to `command`. `arguments` must outlive it.
void add_device_options(CLI::App& command, DeviceArguments& arguments);

}  // namespace server
