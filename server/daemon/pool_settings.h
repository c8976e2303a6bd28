#pragma once

#include "server/config/config.h"
#include "server/log/log.h"
#include "server/process/programs.h"
#include "server/transcription/model_pool.h"
#include "server/transcription/worker_setup.h"

namespace server {

// The error of whatever needs a model here (cluster.role).
Error gateway_has_no_model();

// Returns the pool's settings from the configuration: how many models, how long, and how the worker
// of a model is set up. It blocks if a sandbox is required, because it tries the sandbox. `log`
// must outlive the pool.
ModelPool::Settings pool_settings(const Config& config, const SetupSources& sources,
                                  const Programs& programs, Log& log);

}  // namespace server
