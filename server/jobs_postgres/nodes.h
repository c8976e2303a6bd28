#pragma once

#include <optional>
#include <string>

#include "server/jobs/job_end.h"
#include "server/jobs_postgres/queue_order.h"
#include "server/jobs_postgres/session.h"

// Daemons that work on the same jobs. Each has a lease, which it renews; when that has ended,
// others go on with its jobs. These functions throw Failure.
namespace server::postgres {

// Enters a node, which is new at each start, and returns its number.
int begin_node(Step& step, const std::string& name, double lease_s);

struct Renewal {
  // The lease has been renewed in time for as long as it lasts, and the node is among the eldest.
  // Where the database was away, all leases end together: whoever finds it again first must not
  // take the others for dead.
  bool may_sweep = false;
};

// Renews a lease, also one that has ended: what others have taken meanwhile stays theirs. Returns
// nothing if the node is forgotten; then it begins anew.
std::optional<Renewal> renew_lease(Step& step, int node, double lease_s);

// Returns whether the node is one of the four that live and have been there for longest. They do
// what costs the same whoever does it: sweeps, which look at all that runs, and counts of all jobs.
// They are more than one, so that others go on where one of them dies.
bool is_among_eldest(Step& step, int node, double lease_s);

void end_lease(Step& step, int node);

struct SweepSettings {
  int max_begins = most_begins;  // of a job that a daemon's end interrupts (job_end.h)
  double keep_s = 0;             // how long ended jobs are kept that do not say it
};

// Puts what dead nodes ran back into the queue, and ends what cannot go on: jobs whose clients
// waited there, live sessions, and jobs that were begun most_begins times. Returns how many were
// running, without live ones. Several nodes may do it at once. `by` is who does it.
int sweep(Step& step, int by, const SweepSettings& settings);

// Does the same with what earlier starts of this daemon left, and with all jobs whose clients
// waited there. It is called before this start has any.
int take_back(Step& step, const Node& node, const SweepSettings& settings);

}  // namespace server::postgres
