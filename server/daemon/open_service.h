#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "server/daemon/job_service.h"
#include "server/lifecycle/stop_signals.h"
#include "server/log/log.h"

namespace server {

// Opens the jobs. A database that is away at the moment is waited for: a machine that starts may be
// faster than that of the database. Returns nullptr if a signal came meanwhile. Errors: those of
// JobService::open().
Result<std::unique_ptr<JobService>> open_service(asio::any_io_executor executor, Log& log,
                                                 StopSignals& signals,
                                                 const JobService::Settings& settings);

}  // namespace server
