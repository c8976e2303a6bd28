#pragma once

#include <string>
#include <string_view>

namespace platform {

// PCI addresses as the kernel writes them, "0000:01:00.0": devices of different libraries and of
// /sys are told to be the same card by it.
std::string pci_address(std::string_view text);  // from capitals, or with a longer domain
std::string pci_address(unsigned domain, unsigned bus, unsigned device);

}  // namespace platform
