#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "server/config/config.h"
#include "server/live/live_services.h"
#include "server/live/stream_listener.h"
#include "server/log/log.h"
#include "server/submission/services.h"

namespace server {

// Live sound in the daemon: what its connections share, and the listener for Wyoming, which is not
// HTTP. It is used on the executor's thread; all that it is made of must outlive it.
class LiveService {
 public:
  LiveService(asio::any_io_executor executor, Services& services, Metrics& metrics, Log& log,
              const Config& config, bool has_keys);

  LiveServices& services() { return live_; }

  // Listens for Wyoming, where the configuration says so. Errors: those of StreamListener::open().
  Result<void> listen();

  // Accepts nothing from now on, and has what was said so far finished.
  void begin_stop();
  // Ends when all live sessions have, or after the deadline. Returns false if a connection of
  // Wyoming cannot be ended; those of HTTP are the HttpServer's.
  asio::awaitable<bool> stop(std::chrono::steady_clock::time_point deadline);

 private:
  asio::any_io_executor executor_;
  Services& services_;
  Log& log_;
  const Config::Live config_;
  LiveServices live_;
  std::optional<StreamListener> wyoming_{};
};

}  // namespace server
