#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// Renews the lease of this node and sweeps up after dead ones, on a thread and a connection of its
// own: a statement that takes long must not cost the node its jobs. A node that could not renew in
// time is dead for the others, and what it ran until then is theirs if they took it. It sweeps only
// after a whole lease that it has renewed in time. The end of this object ends the lease.
class LeaseKeeper {
 public:
  struct Settings {
    ConnectionSettings connection{};
    std::string name{};
    double lease_s = 15;  // renewed three times as often
    SweepSettings sweep{};
  };

  // `node` has been begun.
  LeaseKeeper(Settings settings, int node);
  LeaseKeeper(const LeaseKeeper&) = delete;
  ~LeaseKeeper();

  // The number under which the node claims now.
  int node() const { return node_; }

 private:
  void run(const std::stop_token& stop);
  void renew_and_sweep();

  const Settings settings_;
  Session session_;
  std::atomic<int> node_;
  std::mutex mutex_{};
  std::condition_variable_any woken_{};
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace server::postgres
