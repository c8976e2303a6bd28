#pragma once

#include <string>
#include <string_view>

namespace platform {

// These functions write PCI addresses as the kernel does, "0000:01:00.0", so that devices of
// different libraries and of /sys can be matched.
std::string pci_address(std::string_view text);  // accepts capitals and a longer domain
std::string pci_address(unsigned domain, unsigned bus, unsigned device);

}  // namespace platform
