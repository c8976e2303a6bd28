#include "platform/facts/amd_files.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr char topology_folder[] = "/sys/class/kfd/kfd/topology/nodes/";
using Properties = std::map<std::string, std::int64_t, std::less<>>;

template <class T>
T property(const Properties& properties, std::string_view key) {
  const auto found = properties.find(key);
  if (found == properties.end() || found->second > std::numeric_limits<T>::max()) return 0;
  return static_cast<T>(found->second);
}

// Returns the address from the topology: bus, device and function are packed, and the domain is
// separate.
std::string packed_address(const Properties& properties) {
  const auto location = property<std::uint16_t>(properties, "location_id");
  if (location == 0) return {};
  char text[32];
  std::snprintf(text, sizeof(text), "%04x:%02x:%02x.%x",
                property<std::uint32_t>(properties, "domain"), location >> 8, location >> 3 & 0x1f,
                location & 7);
  return text;
}

std::string drm_folder(const std::string& render_node) {
  return "/sys/class/drm/" + render_node + "/device";
}

void read_card(const FileReader& files, const Properties& properties, KfdNode& node) {
  node.pci_address = packed_address(properties);
  const auto minor = property<int>(properties, "drm_render_minor");
  if (minor == 0) return;
  const auto folder = files.resolve(drm_folder("renderD" + std::to_string(minor)));
  if (folder.empty()) return;
  if (folder.find(':') != folder.npos) node.pci_address = folder.substr(folder.rfind('/') + 1);
  node.vram_total = files.number(folder + "/mem_info_vram_total");
  node.vram_used = files.number(folder + "/mem_info_vram_used");
  node.gtt_total = files.number(folder + "/mem_info_gtt_total");
  node.integrated =
      node.vram_total && node.gtt_total && looks_integrated(*node.vram_total, *node.gtt_total);
}

std::vector<KfdNode> read_topology(const FileReader& files) {
  std::vector<KfdNode> nodes;
  for (const auto& name : files.names(topology_folder)) {
    const auto text = files.text(topology_folder + name + "/properties");
    const auto number = parse_int(name);
    if (!text || !number || !std::in_range<int>(*number)) continue;
    const auto properties = parse_kfd_properties(*text);
    const auto gfx = decode_gfx(property<std::uint32_t>(properties, "gfx_target_version"));
    if (gfx.empty()) continue;  // the node is a CPU
    KfdNode node{.node = static_cast<int>(*number),
                 .vendor = property<std::uint16_t>(properties, "vendor_id"),
                 .device = property<std::uint16_t>(properties, "device_id"),
                 .gfx = gfx};
    read_card(files, properties, node);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

// Returns the render nodes, without those that are known to belong to no AMD card. They are not
// opened: that would wake a sleeping card.
std::vector<DeviceNode> read_render_nodes(const FileReader& files) {
  std::vector<DeviceNode> nodes;
  for (const auto& name : files.names("/dev/dri")) {
    if (!name.starts_with("renderD")) continue;
    const auto vendor = parse_hex16(files.word(drm_folder(name) + "/vendor"));
    if (vendor.value_or(vendor_amd) != vendor_amd) continue;
    nodes.push_back(files.permitted_node("/dev/dri/" + name));
  }
  return nodes;
}

std::vector<std::string> rocm_sonames() {
  std::vector<std::string> names;
  for (const char* major : {"7", "6", "5"}) names.push_back(std::string("libamdhip64.so.") + major);
  for (int major = 9; major >= 0; --major) {
    names.push_back("librocblas.so." + std::to_string(major));
  }
  return names;
}

}  // namespace

Properties parse_kfd_properties(std::string_view text) {
  Properties properties;
  for (const auto line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() != 2) continue;
    const auto value = parse_int(parts[1]);
    if (value && *value >= 0) properties[std::string(parts[0])] = *value;
  }
  return properties;
}

bool looks_integrated(std::int64_t vram_total, std::int64_t gtt_total) {
  constexpr std::int64_t gib = std::int64_t{1} << 30;
  return vram_total <= 4 * gib && gtt_total >= 8 * gib && gtt_total / 4 >= vram_total;
}

AmdFacts read_amd(const FileReader& files, const LibraryFinder& libraries) {
  AmdFacts amd;
  amd.amdgpu = files.exists("/sys/module/amdgpu");
  amd.amdgpu_version = files.word("/sys/module/amdgpu/version");
  amd.kfd = files.open_node("/dev/kfd");
  amd.render = read_render_nodes(files);
  amd.nodes = read_topology(files);
  amd.libraries = libraries.find(rocm_sonames());
  return amd;
}

}  // namespace platform
