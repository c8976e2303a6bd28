#include "server/daemon/queue_figures.h"

#include <chrono>

#include "server/base/race.h"
#include "server/jobs/job_queue.h"
#include "server/metrics/metrics.h"

namespace server {

boost::asio::awaitable<void> measure_queue(JobQueue& jobs, Metrics& metrics) {
  constexpr std::chrono::milliseconds interval{10'000};
  while (true) {
    const auto seconds = co_await jobs.sound_to_do();
    if (seconds) metrics.set_sound_to_do(*seconds);
    co_await sleep_for(interval);
  }
}

}  // namespace server
