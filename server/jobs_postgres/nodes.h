#pragma once

#include <string>

#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/session.h"

// Daemons that work on the same jobs. Each has a lease, which it renews; when that has ended,
// others go on with its jobs. These functions throw Failure.
namespace server::postgres {

// Enters a node, which is new at each start, and returns its number.
int begin_node(Step& step, const std::string& name, double lease_s);

// Returns false if the lease has ended. Then the node's jobs may be others', and it begins anew.
bool renew_lease(Step& step, int node, double lease_s);

void end_lease(Step& step, int node);
// Ends the leases of earlier starts with this name.
void end_earlier_leases(Step& step, const Node& node);

struct SweepSettings {
  int max_attempts = 3;  // attempts in which nothing was decided
  double keep_s = 0;     // how long ended jobs are kept that do not say it
};

// Puts what dead nodes ran back into the queue, and ends what cannot go on: jobs whose clients
// waited there, live sessions, and jobs that got no further too often. Returns how many were
// running, without live ones. Several nodes may do it at once. `by` is who does it.
int sweep(Step& step, int by, const SweepSettings& settings);

}  // namespace server::postgres
