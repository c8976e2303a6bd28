#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/verdict/finding_codes.h"
#include "platform/verdict/nvidia_checks.h"

namespace platform {
namespace {

constexpr char wsl_libraries[] = "/usr/lib/wsl";

bool cuda_has_answered(const Facts& facts) {
  return facts.native.cuda.probe.outcome == ProbeOutcome::answered;
}

bool starts_container_without_gpu(Judgement& judgement, std::string found, std::string read_from) {
  if (judgement.facts.os.container.empty()) return false;
  judgement.add(
      code::container_no_gpu, Severity::blocked,
      {std::move(found), "a container started with access to the GPU", std::move(read_from)},
      judgement.facts.os.container);
  return true;
}

bool other_driver_has_it(Judgement& judgement, const Card& card) {
  const Facts& facts = judgement.facts;
  const std::string bound = card.pci ? card.pci->driver : "";
  const std::string read_from = "/sys/bus/pci/devices/" + card.pci_address + "/driver";
  if (is_for_a_guest(card)) {
    judgement.add(code::card_in_other_hands, Severity::blocked, {bound, "nvidia", read_from});
    return true;
  }
  const bool nouveau_alone = facts.nvidia.nouveau && facts.nvidia.module_version.empty();
  if (bound != "nouveau" && (!nouveau_alone || !bound.empty() || !card.pci)) return false;
  judgement.add(code::nvidia_nouveau, Severity::blocked,
                {"nouveau", "nvidia", bound.empty() ? "/sys/module/nouveau" : read_from});
  return true;
}

bool module_is_missing(Judgement& judgement, const Card& card) {
  const Facts& facts = judgement.facts;
  if (facts.os.wsl || !card.pci || !facts.nvidia.module_version.empty()) return false;
  const bool nvml_has_answered = facts.native.nvml.probe.outcome == ProbeOutcome::answered;
  if (cuda_has_answered(facts) || nvml_has_answered) return false;
  if (card.pci->driver == "nvidia") {
    // The module is loaded, and a container hides its files.
    return starts_container_without_gpu(judgement, "no /proc/driver/nvidia",
                                        "/proc/driver/nvidia/version");
  }
  judgement.add(code::nvidia_module_missing, Severity::blocked,
                {"no kernel module nvidia", "the kernel module nvidia, loaded",
                 "/proc/driver/nvidia/version, /sys/module/nvidia"});
  return true;
}

bool is_card_node(const std::string& path) {
  constexpr std::string_view prefix = "/dev/nvidia";
  return path.starts_with(prefix) && path.size() > prefix.size() &&
         path.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

// Returns the missing node, or nullptr. One of the cards' own nodes is enough, because their names
// do not say which card each belongs to.
const DeviceNode* missing_node(const std::vector<DeviceNode>& nodes) {
  const bool some_card = std::any_of(nodes.begin(), nodes.end(), [](const DeviceNode& node) {
    return node.exists && is_card_node(node.path);
  });
  for (const auto& node : nodes) {
    if (!node.exists && !(some_card && is_card_node(node.path))) return &node;
  }
  return nullptr;
}

// Checks the nodes. NVML needs fewer nodes than CUDA, so an answer of NVML does not prove that all
// are there.
bool node_is_missing(Judgement& judgement, const Card&) {
  const Facts& facts = judgement.facts;
  if (facts.os.wsl || cuda_has_answered(facts)) return false;
  const DeviceNode* node = missing_node(facts.nvidia.nodes);
  if (!node) return false;
  const bool uvm = node->path.find("uvm") != std::string::npos;
  const std::string found = "no " + node->path;
  if (!uvm && starts_container_without_gpu(judgement, found, node->path)) return true;
  judgement.add(uvm ? code::nvidia_uvm_missing : code::nvidia_node_missing, Severity::blocked,
                {found, node->path, "/dev"}, node->path);
  return true;
}

bool node_is_closed(Judgement& judgement, const Card&) {
  for (const auto& node : judgement.facts.nvidia.nodes) {
    if (!node.exists || (node.open_error != EACCES && node.open_error != EPERM)) continue;
    judgement.add(code::nvidia_permission, Severity::blocked,
                  {std::string(std::strerror(node.open_error)), "reading and writing " + node.path,
                   node.path},
                  node.path);
    return true;
  }
  return false;
}

const LibraryFile* first_libcuda(const Facts& facts) {
  for (const auto& library : facts.nvidia.libraries) {
    if (library.soname.starts_with("libcuda.so")) return &library;
  }
  return nullptr;
}

bool linux_driver_inside_wsl(Judgement& judgement, const Card&) {
  const LibraryFile* library = first_libcuda(judgement.facts);
  if (!judgement.facts.os.wsl || !library) return false;
  if (library->path.starts_with(wsl_libraries) || library->target.starts_with(wsl_libraries)) {
    return false;
  }
  judgement.add(code::wsl_linux_driver, Severity::blocked,
                {library->path, std::string(wsl_libraries) + "/lib/libcuda.so.1", library->path});
  return true;
}

// Returns the file in the loader's message, which begins with the file that it refused, or with one
// that this file needs.
std::string file_in(const std::string& loader_words) {
  const std::string file = loader_words.substr(0, loader_words.find(": "));
  return file.find("libcuda.so") == std::string::npos ? "libcuda.so.1" : file;
}

bool library_is_missing(Judgement& judgement, const Card&) {
  const Facts& facts = judgement.facts;
  const ProbeResult& probe = facts.native.cuda.probe;
  const LibraryFile* library = first_libcuda(facts);
  const bool missing = probe.outcome == ProbeOutcome::library_missing ||
                       (probe.outcome == ProbeOutcome::not_run && !library);
  if (!missing) return false;
  const std::string read_from = probe.text.empty() ? "the library path" : probe.text;
  const bool refused = loader_refuses_file(probe);
  if (facts.os.wsl && library && !refused) {
    judgement.add(code::wsl_libcuda, Severity::blocked,
                  {"libcuda.so.1 not on the library path", library->path, read_from});
    return true;
  }
  if (library || refused) {
    judgement.add(code::cuda_library_broken, Severity::blocked,
                  {probe.text.empty() ? "it cannot be loaded" : probe.text,
                   "libcuda.so.1 of the NVIDIA driver", "dlopen libcuda.so.1"},
                  library ? library->path : file_in(probe.text));
    return true;
  }
  if (starts_container_without_gpu(judgement, "no libcuda.so.1", read_from)) return true;
  judgement.add(code::cuda_no_driver, Severity::blocked,
                {"no libcuda.so.1", "libcuda.so.1 of the NVIDIA driver", read_from});
  return true;
}

// Returns whether the card is too old for NVIDIA's open kernel modules, which begin with Turing.
bool open_module_leaves_it_out(Judgement& judgement, const Card& card) {
  constexpr ComputeCapability first_served{7, 5};
  const NvidiaFacts& nvidia = judgement.facts.nvidia;
  const ComputeCapability cc = card.compute_capability;
  if (!nvidia.open_module || cc == ComputeCapability{} || cc >= first_served) return false;
  judgement.add(
      code::nvidia_open_module, Severity::blocked,
      {"the open kernel module", "the proprietary kernel module", nvidia.module_read_from},
      "compute capability " + cc.text());
  return true;
}

// The checks are in the order of causes: a module that is not loaded explains a missing node, a
// missing node explains the result of cuInit.
constexpr bool (*causes[])(Judgement&, const Card&) = {
    other_driver_has_it, module_is_missing,       open_module_leaves_it_out, node_is_missing,
    node_is_closed,      linux_driver_inside_wsl, library_is_missing,        nvidia_library_fails,
};

}  // namespace

void check_nvidia_driver(Judgement& judgement, const Card& card) {
  if (card.cuda) return;
  for (const auto cause : causes) {
    if (cause(judgement, card)) return;
  }
  judgement.add(code::cuda_no_device, Severity::blocked,
                {"no device", card.name, "cuDeviceGetCount"});
}

}  // namespace platform
