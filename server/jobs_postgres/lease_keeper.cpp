#include "server/jobs_postgres/lease_keeper.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace server::postgres {

namespace {

// A sweep that takes long must not cost the node its lease.
ConnectionSettings within_lease(ConnectionSettings settings, double lease_s) {
  const auto third =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(lease_s / 3));
  settings.statement_timeout = std::min(settings.statement_timeout, third);
  settings.answer_timeout = std::min(settings.answer_timeout, 2 * third);
  return settings;
}

}  // namespace

LeaseKeeper::LeaseKeeper(Settings settings, int node)
    : settings_(std::move(settings)),
      session_(within_lease(settings_.connection, settings_.lease_s)),
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
  bool may_sweep = false;
  node_ = session_.transact([&](Step& step) {
    const auto renewed = renew_lease(step, node_, settings_.lease_s);
    may_sweep = renewed && renewed->may_sweep;
    return renewed ? node_.load() : begin_node(step, settings_.name, settings_.lease_s);
  });
  if (may_sweep) {
    session_.transact([this](Step& step) { return sweep(step, node_, settings_.sweep); });
  }
}

}  // namespace server::postgres
