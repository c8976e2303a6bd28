#pragma once

#include "platform/facts/facts.h"
#include "platform/probe/probe.h"

namespace platform {

// Which vendors' libraries are asked.
struct Vendors {
  bool cuda = false;
  bool nvml = false;
  bool hip = false;
  bool metal = false;
};

Vendors worth_asking(const Facts& facts);

// Asks these, all at once; the others are left as not run.
NativeFacts probe_vendors(const Vendors& vendors, const Facts& facts,
                          const ProbeSettings& settings);

}  // namespace platform
