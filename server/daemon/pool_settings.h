#pragma once

#include "server/daemon/job_service.h"
#include "server/log/log.h"
#include "server/process/programs.h"
#include "server/transcription/model_pool.h"

namespace server {

// The error of whatever needs a model here (cluster.role).
Error gateway_has_no_model();

// Returns the pool's settings from those of the service: how many models, how long, and how the
// worker of a model is set up. It blocks if a sandbox is required, because it tries the sandbox.
// `log` must outlive the pool.
ModelPool::Settings pool_settings(const JobService::Settings& service, const Programs& programs,
                                  Log& log);

}  // namespace server
