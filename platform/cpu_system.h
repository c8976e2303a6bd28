#pragma once

#include <vector>

#include "platform/cpu.h"

// This system's own words about its CPU; each system has a source of its own.
namespace platform {

// Returns the CPU's name and the cores on which this process may run; flags only where the system
// lists them.
CpuFacts system_cpu();

// Returns the whole cores that this process may have the time of; many where there is no quota.
int quota_cores();

// Returns the CPUs on which the scheduler may run this process, by the kernel's numbers in
// ascending order; empty where it cannot be asked.
std::vector<int> usable_cpus();

}  // namespace platform
