#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace platform {

// Collects the names of a few devices from the lines of a pci.ids file.
class PciIds {
 public:
  void want(std::uint16_t vendor, std::uint16_t device) { names_[{vendor, device}]; }

  // Takes the next line; returns false when no further line is needed.
  bool take(std::string_view line);

  // Returns "NVIDIA Corporation GA106 [GeForce RTX 3060]"; empty if the file has no such device.
  std::string name(std::uint16_t vendor, std::uint16_t device) const;

 private:
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::string> names_{};
  std::size_t found_ = 0;
  std::uint16_t vendor_ = 0;   // the vendor of the devices that follow
  std::string vendor_name_{};  // empty: none of its devices is needed
};

}  // namespace platform
