#include "platform/facts/pci_ids.h"

#include "platform/facts/text.h"

namespace platform {
namespace {

// Returns the name in brackets, as of "Advanced Micro Devices, Inc. [AMD/ATI]".
std::string_view short_name(std::string_view vendor) {
  const auto open = vendor.rfind('[');
  const bool bracketed = open != std::string_view::npos && vendor.ends_with(']');
  return bracketed ? vendor.substr(open + 1, vendor.size() - open - 2) : vendor;
}

}  // namespace

// Vendors are at the start of a line, their devices after one tab, and subsystems after two. Four
// digits precede each name. The classes at the end begin with "C ".
bool PciIds::take(std::string_view line) {
  if (found_ == names_.size() || line.starts_with("C ")) return false;
  const bool is_device = line.starts_with('\t');
  if (is_device && vendor_name_.empty()) return true;
  if (is_device) line.remove_prefix(1);
  if (line.size() < 6) return true;
  const auto id = parse_hex16(line.substr(0, 4));
  if (!id) return true;  // a comment, or a subsystem
  const auto text = trim(line.substr(4));
  if (!is_device) {
    const auto wanted = names_.lower_bound({*id, 0});
    vendor_ = *id;
    vendor_name_ = wanted != names_.end() && wanted->first.first == *id ? short_name(text) : "";
  } else if (const auto wanted = names_.find({vendor_, *id}); wanted != names_.end()) {
    if (wanted->second.empty()) ++found_;
    wanted->second = vendor_name_ + " " + std::string(text);
  }
  return true;
}

std::string PciIds::name(std::uint16_t vendor, std::uint16_t device) const {
  const auto found = names_.find({vendor, device});
  return found == names_.end() ? "" : found->second;
}

}  // namespace platform
