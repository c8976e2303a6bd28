#include "platform/verdict/card.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/facts/pci_address.h"

namespace platform {
namespace {

std::string maker(std::uint16_t vendor) {
  switch (vendor) {
    case vendor_nvidia:
      return "NVIDIA";
    case vendor_amd:
      return "AMD";
    case vendor_intel:
      return "Intel";
    default:
      return "";
  }
}

std::string with_maker(std::uint16_t vendor, std::string name) {
  const std::string prefix = maker(vendor);
  if (prefix.empty() || name.starts_with(prefix)) return name;
  return prefix + " " + name;
}

// Returns the product, which "GA106 [GeForce RTX 3060]" has in brackets.
std::string product(const std::string& name) {
  const auto open = name.rfind('[');
  const auto close = name.rfind(']');
  if (open == std::string::npos || close == std::string::npos || close < open + 2) return name;
  return name.substr(open + 1, close - open - 1);
}

std::string name_from_pci(const PciGpu& pci, const CardRow* row) {
  if (row && !row->name.empty()) return with_maker(pci.vendor, row->name);
  if (!pci.name.empty()) return with_maker(pci.vendor, product(pci.name));
  const std::string prefix = maker(pci.vendor);
  return fmt::format("{} card (PCI {:04x}:{:04x})", prefix.empty() ? "a" : "an " + prefix,
                     pci.vendor, pci.device);
}

void add_pci(Card& card, const Facts& facts, const Matrix& matrix) {
  for (const auto& pci : facts.pci) {
    if (card.pci_address.empty() || pci_address(pci.address) != card.pci_address) continue;
    card.pci = &pci;
    card.row = matrix.find_card(pci.vendor, pci.device);
  }
}

bool is_listed(const std::vector<Card>& cards, const std::string& address) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const Card& card) { return card.pci_address == address; });
}

void add_from_bus(std::vector<Card>& cards, const Facts& facts, const Matrix& matrix,
                  std::uint16_t vendor) {
  for (const auto& pci : facts.pci) {
    const std::string address = pci_address(pci.address);
    if (pci.vendor != vendor || is_listed(cards, address)) continue;
    const CardRow* row = matrix.find_card(pci.vendor, pci.device);
    cards.push_back(
        {.name = name_from_pci(pci, row), .pci_address = address, .pci = &pci, .row = row});
  }
}

const NvmlDevice* find_nvml(const Facts& facts, const Card& card) {
  for (const auto& device : facts.native.nvml.devices) {
    const bool same_uuid = card.cuda && !device.uuid.empty() && card.cuda->uuid == device.uuid;
    const bool same_address =
        !card.pci_address.empty() && pci_address(device.pci_address) == card.pci_address;
    if (same_uuid || same_address) return &device;
  }
  return nullptr;
}

// Returns whether a driver gave no answer, or failed without reporting that there is no card.
bool driver_fails_unseen(const ProbeResult& probe) {
  constexpr int no_device = 100;  // the same number in CUDA and HIP
  return probe.outcome == ProbeOutcome::hung || probe.outcome == ProbeOutcome::crashed ||
         probe.outcome == ProbeOutcome::not_started ||
         (probe.outcome == ProbeOutcome::failed && probe.code != no_device);
}

// Returns whether HIP was asked in vain although the kernel or Windows has a device node of a GPU.
// Without a bus to look at, "no device" does not prove that there is none.
bool hip_fails_unseen(const Facts& facts) {
  const ProbeOutcome outcome = facts.native.hip.probe.outcome;
  const bool in_vain = outcome == ProbeOutcome::failed || outcome == ProbeOutcome::hung ||
                       outcome == ProbeOutcome::crashed || outcome == ProbeOutcome::not_started;
  return in_vain && (facts.amd.kfd.exists || facts.os.wsl);
}

// Returns whether Windows passes a GPU into WSL but there is no NVIDIA driver for it.
bool windows_lacks_driver(const Facts& facts) {
  const ProbeOutcome outcome = facts.native.cuda.probe.outcome;
  const auto& nodes = facts.nvidia.nodes;
  const bool has_door = std::any_of(nodes.begin(), nodes.end(), [](const DeviceNode& node) {
    return node.exists && node.path == "/dev/dxg";
  });
  return facts.os.wsl && has_door &&
         (outcome == ProbeOutcome::library_missing || outcome == ProbeOutcome::not_run);
}

// Names a GPU that cannot be seen. Windows shows WSL that it has a GPU, and no more.
std::string unseen(const Facts& facts, const char* maker) {
  return facts.os.wsl ? "the GPU of Windows" : std::string("an ") + maker + " card";
}

ComputeCapability compute_capability_of(const Card& card) {
  if (card.cuda && card.cuda->compute_capability != ComputeCapability{}) {
    return card.cuda->compute_capability;
  }
  return card.row ? card.row->compute_capability.value_or(ComputeCapability{})
                  : ComputeCapability{};
}

}  // namespace

bool is_for_a_guest(const Card& card) {
  const std::string driver = card.pci ? card.pci->driver : "";
  return driver == "vfio-pci" || driver == "pci-stub" || driver == "xen-pciback";
}

std::vector<Card> nvidia_cards(const Facts& facts, const Matrix& matrix, bool wants_cuda) {
  std::vector<Card> cards;
  for (const auto& device : facts.native.cuda.devices) {
    Card card{.name = with_maker(vendor_nvidia, device.name),
              .pci_address = pci_address(device.pci_address),
              .cuda = &device};
    add_pci(card, facts, matrix);
    cards.push_back(std::move(card));
  }
  add_from_bus(cards, facts, matrix, vendor_nvidia);
  for (const auto& device : facts.native.nvml.devices) {
    const std::string address = pci_address(device.pci_address);
    const bool by_uuid = std::any_of(cards.begin(), cards.end(), [&](const Card& card) {
      return card.cuda && !device.uuid.empty() && card.cuda->uuid == device.uuid;
    });
    if (by_uuid || is_listed(cards, address)) continue;
    cards.push_back({.name = with_maker(vendor_nvidia, device.name), .pci_address = address});
  }
  for (auto& card : cards) {
    card.nvml = find_nvml(facts, card);
    if (card.nvml && !card.cuda) card.name = with_maker(vendor_nvidia, card.nvml->name);
    card.compute_capability = compute_capability_of(card);
  }
  const bool wsl_driver = facts.os.wsl && !facts.nvidia.libraries.empty();
  if (cards.empty() && (driver_fails_unseen(facts.native.cuda.probe) || wsl_driver ||
                        !facts.nvidia.module_version.empty())) {
    cards.push_back({.name = "an NVIDIA card"});
  }
  if (cards.empty() && wants_cuda && windows_lacks_driver(facts)) {
    cards.push_back({.name = unseen(facts, "NVIDIA")});
  }
  return cards;
}

std::vector<Card> amd_cards(const Facts& facts, const Matrix& matrix) {
  std::vector<Card> cards;
  for (const auto& device : facts.native.hip.devices) {
    Card card{.name = with_maker(vendor_amd, device.name),
              .pci_address = pci_address(device.pci_address),
              .hip = &device};
    add_pci(card, facts, matrix);
    cards.push_back(std::move(card));
  }
  add_from_bus(cards, facts, matrix, vendor_amd);
  for (const auto& node : facts.amd.nodes) {
    const std::string address = pci_address(node.pci_address);
    if (node.vendor != vendor_amd || is_listed(cards, address)) continue;
    const CardRow* row = matrix.find_card(node.vendor, node.device);
    const PciGpu pci{.address = node.pci_address, .vendor = node.vendor, .device = node.device};
    cards.push_back({.name = name_from_pci(pci, row), .pci_address = address, .row = row});
  }
  for (auto& card : cards) {
    for (const auto& node : facts.amd.nodes) {
      if (pci_address(node.pci_address) == card.pci_address) card.kfd = &node;
    }
  }
  if (cards.empty() && hip_fails_unseen(facts)) cards.push_back({.name = unseen(facts, "AMD")});
  return cards;
}

std::vector<Card> apple_cards(const Facts& facts) {
  std::vector<Card> cards;
  for (const auto& device : facts.native.metal.devices) {
    cards.push_back({.name = device.name.empty() ? "an Apple GPU" : device.name, .metal = &device});
  }
  if (cards.empty() && facts.os.macos) cards.push_back({.name = "the GPU of this Mac"});
  return cards;
}

std::vector<Card> other_cards(const Facts& facts, const Matrix& matrix) {
  std::vector<Card> cards;
  for (const auto& pci : facts.pci) {
    if (pci.vendor == vendor_nvidia || pci.vendor == vendor_amd) continue;
    const CardRow* row = matrix.find_card(pci.vendor, pci.device);
    cards.push_back({.name = name_from_pci(pci, row),
                     .pci_address = pci_address(pci.address),
                     .pci = &pci,
                     .row = row});
  }
  return cards;
}

}  // namespace platform
