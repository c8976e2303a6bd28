#pragma once

#include <vector>

#include "platform/facts/file_reader.h"

namespace platform {

// Returns the display controllers and processing accelerators of /sys/bus/pci/devices, in the bus's
// order.
std::vector<PciGpu> read_pci(const FileReader& files);

}  // namespace platform
