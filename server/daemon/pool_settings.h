#pragma once

#include "server/config/config.h"
#include "server/log/log.h"
#include "server/process/programs.h"
#include "server/transcription/model_pool.h"
#include "server/transcription/worker_setup.h"

namespace server {

// From the configuration to what the pool of models takes: how many, how long, and how the worker
// of a model is set up. Blocks where a sandbox is required: it is tried. `log` outlives the pool.
ModelPool::Settings pool_settings(const Config& config, const SetupSources& sources,
                                  const Programs& programs, Log& log);

}  // namespace server
