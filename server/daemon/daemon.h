#pragma once

#include <filesystem>

#include "server/base/error.h"
#include "server/config/config.h"
#include "server/models/hub.h"
#include "server/transcription/worker_setup.h"

namespace server {

struct DaemonSettings {
  Config config{};
  SetupSources sources;
  std::filesystem::path state_folder{};
  HubAccess hub{};  // for model.pull
};

// Runs `scribed serve`: REST and MCP over HTTP, until SIGTERM or Ctrl-C. The error is why it could
// not begin; an end on request is no error.
Result<void> run_daemon(DaemonSettings settings);

}  // namespace server
