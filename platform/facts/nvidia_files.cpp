#include "platform/facts/nvidia_files.h"

#include <algorithm>

#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr char nvrm_file[] = "/proc/driver/nvidia/version";
constexpr char module_file[] = "/sys/module/nvidia/version";

// Returns whether a word is a release: digits with a dot among them. "x86_64" and a year are none.
bool is_release(std::string_view word) {
  return word.find_first_not_of("0123456789.") == word.npos && word.find('.') != word.npos &&
         word.front() != '.' && word.back() != '.';
}

void read_module(const FileReader& files, NvidiaFacts& nvidia) {
  if (const auto module = parse_nvrm_version(files.text(nvrm_file).value_or(""))) {
    nvidia.module_version = module->version;
    nvidia.open_module = module->open;
    nvidia.module_read_from = nvrm_file;
  } else if (const auto version = files.word(module_file); is_release(version)) {
    nvidia.module_version = version;
    nvidia.module_read_from = module_file;
  }
}

bool is_card_node(std::string_view name) {
  constexpr std::string_view stem = "nvidia";
  return name.starts_with(stem) && parse_int(name.substr(stem.size())).value_or(-1) >= 0;
}

// Reads the nodes. A card's own node is not opened: that would wake a sleeping card, which takes a
// second.
std::vector<DeviceNode> read_nodes(const FileReader& files) {
  std::vector<DeviceNode> nodes;
  if (files.exists("/dev/dxg")) nodes.push_back(files.open_node("/dev/dxg"));
  nodes.push_back(files.open_node("/dev/nvidiactl"));
  nodes.push_back(files.open_node("/dev/nvidia-uvm"));
  const auto others = nodes.size();
  for (const auto& name : files.names("/dev")) {
    if (is_card_node(name)) nodes.push_back(files.permitted_node("/dev/" + name));
  }
  if (nodes.size() == others) nodes.push_back(files.permitted_node("/dev/nvidia0"));
  return nodes;
}

// Finds the driver's libraries. They carry its version after ".so."; under WSL they are called
// libcuda.so.1.1, which says nothing of a driver.
std::vector<LibraryFile> find_driver_libraries(const LibraryFinder& finder) {
  auto found = finder.find({"libcuda.so.1", "libnvidia-ml.so.1"});
  for (auto& library : found) {
    if (library.version.starts_with("1.")) library.version.clear();
  }
  return found;
}

}  // namespace

std::optional<NvidiaModule> parse_nvrm_version(std::string_view text) {
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with("NVRM version:")) continue;
    const auto at = line.find("Kernel Module");
    if (at == line.npos) return std::nullopt;
    for (const auto word : words(line.substr(at))) {
      if (is_release(word)) {
        return NvidiaModule{std::string(word), line.substr(0, at).ends_with("Open ")};
      }
    }
  }
  return std::nullopt;
}

NvidiaFacts read_nvidia(const FileReader& files, const LibraryFinder& libraries) {
  NvidiaFacts nvidia;
  read_module(files, nvidia);
  nvidia.nouveau = files.exists("/sys/module/nouveau");
  nvidia.nodes = read_nodes(files);
  nvidia.libraries = find_driver_libraries(libraries);
  return nvidia;
}

}  // namespace platform
