#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace platform {

// The names of a few devices, picked out of a pci.ids file as its lines go by.
class PciIds {
 public:
  void want(std::uint16_t vendor, std::uint16_t device) { names_[{vendor, device}]; }

  // Takes the next line; false when nothing further is of interest.
  bool take(std::string_view line);

  // "NVIDIA Corporation GA106 [GeForce RTX 3060]"; empty where the file has no such device.
  std::string name(std::uint16_t vendor, std::uint16_t device) const;

 private:
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::string> names_{};
  std::size_t found_ = 0;
  std::uint16_t vendor_ = 0;   // whose devices come now
  std::string vendor_name_{};  // empty: none of its devices is wanted
};

}  // namespace platform
