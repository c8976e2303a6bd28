#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "protocol/worker_messages.h"
#include "server/device/device_plan.h"

namespace server {

namespace asio = boost::asio;

// Has the worker of the plan's first device measure, and that of the next one, with a warning,
// where a device cannot be used. The plan decides device and compute type of `request`. `plan` must
// outlive the call.
asio::awaitable<Result<protocol::worker::BenchResult>> run_bench(asio::any_io_executor executor,
                                                                 const DevicePlan& plan,
                                                                 protocol::worker::Bench request);

}  // namespace server
