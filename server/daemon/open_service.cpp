#include "server/daemon/open_service.h"

#include <poll.h>

#include <chrono>
#include <csignal>

#include "server/jobs/claim.h"
#include "server/lifecycle/service_notifier.h"

namespace server {
namespace {

using std::chrono::milliseconds;

// How often a database that does not answer is tried at the start.
constexpr milliseconds database_interval{5'000};

// Waits for a signal that ends the daemon, and returns whether one came in time.
bool ends_within(StopSignals& signals, milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd came{.fd = signals.fd(), .events = POLLIN, .revents = 0};
    if (left <= milliseconds(0) || ::poll(&came, 1, static_cast<int>(left.count())) <= 0) {
      return false;
    }
    const int signal = signals.take();
    if (signal != 0 && signal != SIGHUP) return true;
  }
}

}  // namespace

Result<std::unique_ptr<JobService>> open_service(asio::any_io_executor executor, Log& log,
                                                 StopSignals& signals,
                                                 const JobService::Settings& settings) {
  ServiceNotifier notifier(settings.sources.environment);
  while (true) {
    auto service = JobService::open(executor, log, settings);
    if (service || service.error().code != errc::database_unavailable) return service;
    log.error("waiting for the database",
              {{"error", service.error().message}, {"fix", service.error().fix}});
    notifier.status("waiting for the database");
    notifier.extend_timeout(6 * database_interval);
    if (ends_within(signals, database_interval)) return std::unique_ptr<JobService>();
  }
}

}  // namespace server
