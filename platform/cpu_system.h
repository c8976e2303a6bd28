#pragma once

#include "platform/cpu.h"

// This system's own words about its CPU; each system has a source of its own.
namespace platform {

// Returns the CPU's name and its cores; flags only where the system lists them.
CpuFacts system_cpu();

// Returns the cores that the system lets this process use.
int usable_cores();

}  // namespace platform
