#include "server/jobs_postgres/lease_keeper.h"

#include <chrono>
#include <utility>

namespace server::postgres {

LeaseKeeper::LeaseKeeper(Settings settings, int node)
    : settings_(std::move(settings)),
      session_(settings_.connection),
      node_(node),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

// Others can go on at once with what is left. Where the database does not answer, they will when
// the lease has ended.
LeaseKeeper::~LeaseKeeper() {
  thread_.request_stop();
  thread_.join();
  try {
    session_.transact([this](Step& step) {
      end_lease(step, node_);
      return true;
    });
  } catch (const Failure&) {
  }
}

void LeaseKeeper::run(const std::stop_token& stop) {
  const auto pause = std::chrono::duration<double>(settings_.lease_s / 3);
  while (!stop.stop_requested()) {
    try {
      renew_and_sweep();
    } catch (const Failure&) {
      // The lease lasts for two more tries. The calls of the store say what is wrong.
    }
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, stop, pause, [] { return false; });
  }
}

void LeaseKeeper::renew_and_sweep() {
  node_ = session_.transact([this](Step& step) {
    if (renew_lease(step, node_, settings_.lease_s)) return node_.load();
    return begin_node(step, settings_.name, settings_.lease_s);
  });
  session_.transact([this](Step& step) { return sweep(step, node_, settings_.sweep); });
}

}  // namespace server::postgres
