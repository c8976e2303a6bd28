#pragma once

#include <filesystem>

#include "server/config/config.h"
#include "server/device/device_arguments.h"
#include "server/error.h"
#include "server/store/hub.h"

namespace server {

struct DaemonSettings {
  Config config{};
  DeviceArguments device{};
  std::filesystem::path state_folder{};
  HubAccess hub{};  // for model.pull
};

// `scribed serve`: REST and MCP over HTTP, until SIGTERM or Ctrl-C. Nothing, where it ended as it
// was told to; the error is why it could not begin.
Result<void> run_daemon(DaemonSettings settings);

}  // namespace server
