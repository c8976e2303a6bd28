#include "platform/probe/reasons.h"

#include <algorithm>
#include <string_view>

namespace platform {
namespace {

bool has_card(const Facts& facts, std::uint16_t vendor) {
  return std::ranges::any_of(facts.pci, [&](const PciGpu& gpu) { return gpu.vendor == vendor; });
}

bool has_library(const std::vector<LibraryFile>& libraries, std::string_view soname) {
  return std::ranges::any_of(
      libraries, [&](const LibraryFile& library) { return library.soname.starts_with(soname); });
}

bool has_node(const std::vector<DeviceNode>& nodes, std::string_view path) {
  return std::ranges::any_of(
      nodes, [&](const DeviceNode& node) { return node.exists && node.path.starts_with(path); });
}

}  // namespace

bool worth_asking_nvidia(const Facts& facts) {
  return has_card(facts, vendor_nvidia) || !facts.nvidia.module_version.empty() ||
         has_node(facts.nvidia.nodes, "") || has_library(facts.nvidia.libraries, "libcuda.so");
}

bool worth_asking_amd(const Facts& facts) {
  if (has_card(facts, vendor_amd) || !facts.amd.nodes.empty()) return true;
  const bool node = facts.amd.kfd.exists || has_node(facts.nvidia.nodes, "/dev/dxg");
  return node && has_library(facts.amd.libraries, "libamdhip64.so");
}

bool worth_asking_apple(const Facts& facts) {
  return facts.os.macos;
}

}  // namespace platform
