#include "platform/probe/vendor_probes.h"

namespace platform {

MetalFacts ask_metal(Report&) {
  return {};
}

}  // namespace platform
