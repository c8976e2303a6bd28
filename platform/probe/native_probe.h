#pragma once

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform {

// The vendors whose libraries are asked.
struct Vendors {
  bool cuda = false;
  bool nvml = false;
  bool hip = false;
  bool metal = false;
};

Vendors worth_asking(const Facts& facts);

// Asks these vendors in parallel; the others are left as not run.
NativeFacts probe_vendors(const Vendors& vendors, const Facts& facts,
                          const ProbeSettings& settings);

}  // namespace platform
