#pragma once

#include <filesystem>
#include <functional>

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
  // Reads the configuration once more, from all of its sources but secrets, which are gone.
  std::function<Result<Config>()> read_again{};
};

// Runs `scribed serve`: REST and MCP over HTTP, until SIGTERM or Ctrl-C. The error is why it could
// not begin; an end on request is no error.
Result<void> run_daemon(DaemonSettings settings);

}  // namespace server
