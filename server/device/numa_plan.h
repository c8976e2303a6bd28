#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/facts/facts.h"
#include "server/device/device_plan.h"

namespace server {

// Returns the NUMA nodes that are worth a worker each, those with the most cores first; empty where
// one worker for all CPUs is better. Nodes with fewer than half of the cores of the largest are
// left out, because jobs would crawl there. One worker is better where a quota allows fewer cores
// than the nodes have, where nodes overlap, so that they seem to have more than there are, and on
// CPUs for which there are no kernels that map packed weights, as each worker would hold weights of
// its own.
std::vector<platform::NumaNode> nodes_for_workers(const platform::Facts& facts);

// Replaces the CPU in a plan by its nodes, so that a model gets a worker on each that is needed. If
// memory lacks for workers on all of them, the plan stays as it is.
void spread_over_nodes(DevicePlan& plan, const platform::Facts& facts);

// Puts the nodes with the fewest workers first, so that models which are loaded beside each other
// do not begin on the same one. The CPU is the last device of the plan. `workers_on` takes a
// device's name, "cpu:1".
void begin_on_idle_node(DevicePlan& plan, const std::function<int(const std::string&)>& workers_on);

}  // namespace server
