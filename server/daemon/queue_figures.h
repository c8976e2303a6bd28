#pragma once

#include <boost/asio/awaitable.hpp>

namespace server {

class JobQueue;
class Metrics;

// Asks the store for the sound that is still to be transcribed, again and again, so that /metrics
// waits for no database. Both outlive it.
boost::asio::awaitable<void> measure_queue(JobQueue& jobs, Metrics& metrics);

}  // namespace server
