#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "server/commands/doctor_report.h"

namespace server {
namespace {

using platform::Facts;
using platform::ProbeOutcome;
using platform::ProbeResult;

void add(Page& page, const std::string& label, const std::string& text) {
  page.row(doctor_indent, doctor_label_width, label, text);
}

std::string with(const char* word, const std::string& value) {
  return value.empty() ? "" : fmt::format(", {} {}", word, value);
}

std::string memory_text(const platform::MemoryFacts& memory) {
  std::string text = fmt::format("{}, {} free for a process", readable_bytes(memory.total),
                                 readable_bytes(memory.free()));
  if (memory.limit) {
    text += fmt::format("; the cgroup allows {}", readable_bytes(*memory.limit));
    if (memory.in_use) text += fmt::format(", {} in use", readable_bytes(*memory.in_use));
  }
  return text;
}

// Returns ", NUMA nodes: 0 (16 cores), 1 (16 cores)"; nothing where there is one.
std::string nodes_text(const std::vector<platform::NumaNode>& nodes) {
  if (nodes.size() < 2) return "";
  std::vector<std::string> parts;
  for (const auto& node : nodes) {
    parts.push_back(
        fmt::format("{} ({} core{})", node.node, node.cores, node.cores == 1 ? "" : "s"));
  }
  return fmt::format(", NUMA nodes: {}", fmt::join(parts, ", "));
}

void add_system(Page& page, const Facts& facts) {
  page.heading("System");
  add(page, "OS",
      facts.os.name + with("kernel", facts.os.kernel) + ", " + facts.os.architecture +
          with("glibc", facts.os.glibc));
  if (!facts.os.container.empty()) add(page, "container", facts.os.container);
  if (facts.os.wsl) add(page, "WSL", "Windows Subsystem for Linux 2");
  add(page, "CPU",
      fmt::format("{}, {} core{}, {}{}",
                  facts.cpu.model_name.empty() ? facts.os.architecture : facts.cpu.model_name,
                  facts.cpu.physical_cores, facts.cpu.physical_cores == 1 ? "" : "s",
                  facts.cpu.isa(), nodes_text(facts.numa_nodes)));
  add(page, "memory", memory_text(facts.memory));
}

const platform::NvmlDevice* find_nvml(const Facts& facts, const std::string& address) {
  const auto& devices = facts.native.nvml.devices;
  const auto found = std::ranges::find(devices, address, &platform::NvmlDevice::pci_address);
  return found == devices.end() ? nullptr : &*found;
}

std::string free_text(std::int64_t total, std::optional<std::int64_t> free) {
  return free ? fmt::format("{}, {} free", readable_bytes(total), readable_bytes(*free))
              : readable_bytes(total);
}

void add_pci(Page& page, const Survey& survey, const platform::PciGpu& gpu) {
  const auto* card = survey.matrix.matrix.find_card(gpu.vendor, gpu.device);
  std::string name = card != nullptr ? card->name : gpu.name;
  if (name.empty()) name = "a display device";
  add(page, gpu.address,
      fmt::format(
          "{} [{:04x}:{:04x}], {}", name, gpu.vendor, gpu.device,
          gpu.driver.empty() ? "no kernel driver is bound" : "kernel driver " + gpu.driver));
}

void add_gpus(Page& page, const Survey& survey) {
  const Facts& facts = survey.facts;
  page.heading("GPUs");
  for (const auto& gpu : facts.pci) add_pci(page, survey, gpu);
  for (const auto& device : facts.native.cuda.devices) {
    const auto* nvml = find_nvml(facts, device.pci_address);
    add(page, fmt::format("cuda:{}", device.index),
        fmt::format("{}, compute capability {}, {}{}{}", device.name,
                    device.compute_capability.text(),
                    free_text(device.total_memory, nvml ? nvml->free_memory : std::nullopt),
                    with("PCI", device.pci_address), nvml && nvml->mig ? ", MIG is on" : ""));
  }
  for (const auto& device : facts.native.hip.devices) {
    add(page, fmt::format("rocm:{}", device.index),
        fmt::format("{}, {}, {}{}", device.name, device.gfx,
                    free_text(device.total_memory, device.free_memory),
                    with("PCI", device.pci_address)));
  }
  for (const auto& device : facts.native.metal.devices) {
    add(page, "mps",
        fmt::format("{}, {} for GPU work", device.name,
                    readable_bytes(device.recommended_working_set)));
  }
  const bool none = facts.pci.empty() && facts.native.cuda.devices.empty() &&
                    facts.native.hip.devices.empty() && facts.native.metal.devices.empty();
  if (none) page.paragraph(doctor_indent, "none was found");
}

std::string probe_text(const ProbeResult& probe, const std::string& answer) {
  switch (probe.outcome) {
    case ProbeOutcome::not_run:
      return "not asked";
    case ProbeOutcome::not_started:
      return "could not be asked: " + probe.text;
    case ProbeOutcome::answered:
      return answer;
    case ProbeOutcome::library_missing:
      return fmt::format("{} cannot be loaded: {}", probe.library, probe.text);
    case ProbeOutcome::failed:
      return fmt::format("{} answered {} {}{}", probe.function, probe.code, probe.code_name,
                         probe.text.empty() ? "" : ": " + probe.text);
    case ProbeOutcome::hung:
      return fmt::format("did not answer in time{}", with("hung in", probe.function));
    case ProbeOutcome::crashed:
      return fmt::format("crashed{}{}{}", with("in", probe.function),
                         probe.signal == 0 ? "" : fmt::format(", signal {}", probe.signal),
                         probe.text.empty() ? "" : ": " + probe.text);
  }
  return "";
}

void add_probe(Page& page, const std::string& label, const ProbeResult& probe,
               const std::string& answer) {
  if (probe.outcome != ProbeOutcome::not_run) add(page, label, probe_text(probe, answer));
}

void add_node(Page& page, const platform::DeviceNode& node) {
  if (node.path.empty()) return;
  const std::string state = !node.exists           ? "is not there"
                            : node.open_error != 0 ? std::strerror(node.open_error)
                                                   : "can be opened";
  add(page, node.path, state);
}

void add_libraries(Page& page, const std::vector<platform::LibraryFile>& libraries) {
  for (const auto& library : libraries) {
    add(page, library.soname,
        library.path + (library.version.empty() ? "" : fmt::format(" ({})", library.version)));
  }
}

bool any_of_vendor(const Facts& facts, std::uint16_t vendor) {
  return std::ranges::any_of(facts.pci, [&](const auto& gpu) { return gpu.vendor == vendor; });
}

bool any_node(const std::vector<platform::DeviceNode>& nodes) {
  return std::ranges::any_of(nodes, &platform::DeviceNode::exists);
}

void add_nvidia(Page& page, const Facts& facts) {
  const auto& nvidia = facts.nvidia;
  const bool is_here = any_of_vendor(facts, platform::vendor_nvidia) ||
                       !nvidia.module_version.empty() || !nvidia.libraries.empty() ||
                       any_node(nvidia.nodes);
  if (!is_here) return;
  page.heading("NVIDIA driver");
  add(page, "kernel module",
      nvidia.module_version.empty()
          ? std::string(nvidia.nouveau ? "not loaded; nouveau is" : "not loaded")
          : fmt::format("{}{} ({})", nvidia.module_version, nvidia.open_module ? ", open" : "",
                        nvidia.module_read_from));
  for (const auto& node : nvidia.nodes) add_node(page, node);
  add_libraries(page, nvidia.libraries);
  const auto& native = facts.native;
  add_probe(page, "CUDA", native.cuda.probe,
            fmt::format("the driver knows CUDA {}; devices: {}", native.cuda.driver_cuda,
                        native.cuda.devices.size()));
  add_probe(page, "NVML", native.nvml.probe,
            fmt::format("driver {}; devices: {}", native.nvml.driver_version,
                        native.nvml.devices.size()));
}

void add_amd(Page& page, const Facts& facts) {
  const auto& amd = facts.amd;
  const bool is_here =
      any_of_vendor(facts, platform::vendor_amd) || amd.kfd.exists || !amd.libraries.empty();
  if (!is_here) return;
  page.heading("AMD driver");
  add(page, "kernel module",
      amd.amdgpu ? "amdgpu" + (amd.amdgpu_version.empty() ? "" : " " + amd.amdgpu_version)
                 : std::string("amdgpu is not loaded"));
  add_node(page, amd.kfd);
  for (const auto& node : amd.render) add_node(page, node);
  for (const auto& node : amd.nodes) {
    add(page, fmt::format("KFD node {}", node.node),
        node.gfx + with("PCI", node.pci_address) +
            (node.vram_total ? ", " + readable_bytes(*node.vram_total) : "") +
            (node.integrated ? ", integrated" : ""));
  }
  add_libraries(page, amd.libraries);
  add_probe(page, "HIP", facts.native.hip.probe,
            fmt::format("runtime {}; devices: {}", facts.native.hip.runtime_version,
                        facts.native.hip.devices.size()));
}

}  // namespace

void add_machine(Page& page, const Survey& survey) {
  add_system(page, survey.facts);
  add_gpus(page, survey);
  add_nvidia(page, survey.facts);
  add_amd(page, survey.facts);
  const auto& metal = survey.facts.native.metal;
  if (metal.probe.outcome == ProbeOutcome::not_run) return;
  page.heading("Apple");
  add_probe(page, "Metal", metal.probe,
            fmt::format("macOS {}; devices: {}", metal.macos_version, metal.devices.size()));
}

}  // namespace server
