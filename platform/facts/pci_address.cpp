#include "platform/facts/pci_address.h"

#include <array>
#include <cctype>
#include <cstdio>

namespace platform {

std::string pci_address(std::string_view text) {
  // NVML and some drivers write the domain with eight digits.
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && colon > 4) text.remove_prefix(colon - 4);
  std::string address(text);
  for (char& letter : address) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return address;
}

std::string pci_address(unsigned domain, unsigned bus, unsigned device) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", domain, bus, device);
  return text.data();
}

}  // namespace platform
