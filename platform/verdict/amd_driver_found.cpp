#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "platform/verdict/amd_checks.h"
#include "platform/verdict/finding_codes.h"
#include "platform/verdict/probe_start.h"
#include "platform/verdict/visible_devices.h"

namespace platform {
namespace {

constexpr int hip_no_device = 100;
constexpr char kfd[] = "/dev/kfd";
constexpr char library_name[] = "libamdhip64.so";

bool hip_has_answered(const Facts& facts) {
  return facts.native.hip.probe.outcome == ProbeOutcome::answered &&
         !facts.native.hip.devices.empty();
}

bool other_driver_has_it(Judgement& judgement, const Card& card) {
  const std::string bound = card.pci ? card.pci->driver : "";
  const std::string read_from = "/sys/bus/pci/devices/" + card.pci_address + "/driver";
  if (is_for_a_guest(card)) {
    judgement.add(code::card_in_other_hands, Severity::blocked, {bound, "amdgpu", read_from});
    return true;
  }
  if (bound != "radeon") return false;
  // The kernel uses that driver only for cards from before ROCm.
  judgement.add(code::hip_no_device, Severity::blocked, {bound, "amdgpu", read_from});
  return true;
}

bool is_on_wsl(Judgement& judgement, const Card&) {
  if (!judgement.facts.os.wsl || judgement.facts.amd.kfd.exists) return false;
  judgement.add(code::rocm_on_wsl, Severity::blocked,
                {"/dev/dxg and no /dev/kfd", "ROCm's libhsa-runtime64 for WSL", kfd});
  return true;
}

bool module_is_missing(Judgement& judgement, const Card& card) {
  const bool bound = card.pci && card.pci->driver == "amdgpu";
  if (judgement.facts.amd.amdgpu || bound || !card.pci) return false;
  judgement.add(
      code::amdgpu_module_missing, Severity::blocked,
      {"no kernel module amdgpu", "the kernel module amdgpu, loaded", "/sys/module/amdgpu"});
  return true;
}

bool kfd_is_missing(Judgement& judgement, const Card&) {
  if (judgement.facts.amd.kfd.exists) return false;
  judgement.add(code::kfd_missing, Severity::blocked, {"no /dev/kfd", kfd, kfd},
                judgement.facts.os.container);
  return true;
}

bool kfd_is_closed(Judgement& judgement, const Card&) {
  const AmdFacts& amd = judgement.facts.amd;
  std::vector<DeviceNode> nodes{amd.kfd};
  nodes.insert(nodes.end(), amd.render.begin(), amd.render.end());
  for (const auto& node : nodes) {
    if (!node.exists || (node.open_error != EACCES && node.open_error != EPERM)) continue;
    judgement.add(code::kfd_permission, Severity::blocked,
                  {std::string(std::strerror(node.open_error)), "reading and writing " + node.path,
                   node.path},
                  node.path);
    return true;
  }
  return false;
}

// Returns whether the card is from before GCN 3: ROCm's kernel driver serves none of those, and
// lists none.
bool is_unknown_to_kfd(Judgement& judgement, const Card& card) {
  const bool others_are_listed = !judgement.facts.amd.nodes.empty();
  if (card.kfd || !gfx_of(card).empty() || !others_are_listed) return false;
  judgement.add(code::hip_no_device, Severity::blocked,
                {"no entry for the card", "an entry for the card", "/sys/class/kfd/kfd/topology"});
  return true;
}

const LibraryFile* first_hip(const Facts& facts) {
  for (const auto& library : facts.amd.libraries) {
    if (library.soname.starts_with(library_name)) return &library;
  }
  return nullptr;
}

// The error is that of the first name that was tried; the file may have another name.
void add_broken_library(Judgement& judgement, const LibraryFile* library) {
  const ProbeResult& probe = judgement.facts.native.hip.probe;
  const bool about_it = !library || probe.text.find(library->soname) != std::string::npos;
  judgement.add(code::hip_library_broken, Severity::blocked,
                {about_it && !probe.text.empty() ? probe.text : "it cannot be loaded",
                 "ROCm's libamdhip64.so", "dlopen"},
                library ? library->path : probe.library);
}

bool library_is_missing(Judgement& judgement, const Card&) {
  const ProbeResult& probe = judgement.facts.native.hip.probe;
  const LibraryFile* library = first_hip(judgement.facts);
  const bool missing = probe.outcome == ProbeOutcome::library_missing ||
                       (probe.outcome == ProbeOutcome::not_run && !library);
  if (!missing) return false;
  if (library || loader_refuses_file(probe)) {
    add_broken_library(judgement, library);
    return true;
  }
  judgement.add(code::rocm_not_installed, Severity::blocked,
                {"no libamdhip64.so", "ROCm's libamdhip64.so",
                 probe.text.empty() ? "the library path" : probe.text});
  return true;
}

bool library_hangs(Judgement& judgement, const Card&) {
  const ProbeResult& probe = judgement.facts.native.hip.probe;
  if (probe_did_not_start(judgement, probe, Severity::blocked)) return true;
  const std::string call = call_of(probe, library_name);
  if (probe.outcome == ProbeOutcome::crashed) {
    const std::string found = probe.signal ? fmt::format("signal {} in {}", probe.signal, call)
                                           : "no answer from " + call;
    judgement.add(code::probe_crashed, Severity::blocked, {found, "an answer", call}, call);
    return true;
  }
  if (probe.outcome != ProbeOutcome::hung) return false;
  // A library that never finishes loading hangs without a card, too.
  const bool while_loading = probe.function.empty() || probe.function.starts_with("dlopen");
  judgement.add(while_loading ? code::hip_library_hangs : code::probe_hung, Severity::blocked,
                {"no answer from " + call, "an answer", call}, call);
  return true;
}

bool card_is_hidden(Judgement& judgement, const Card&) {
  const Facts& facts = judgement.facts;
  const ProbeResult& probe = facts.native.hip.probe;
  if (probe.outcome == ProbeOutcome::failed && probe.code != hip_no_device) return false;
  const HiddenCard hidden{.cards = facts.amd.nodes.size(),
                          .others_listed = !facts.native.hip.devices.empty()};
  for (const char* name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"}) {
    const std::string* value = find_variable(facts, name);
    if (!value || !hides(*value, hidden)) continue;
    const std::string set = std::string(name) + "=" + *value;
    judgement.add(code::hip_devices_hidden, Severity::blocked,
                  {set, "a value that lists the card", name}, set);
    return true;
  }
  return false;
}

bool call_failed(Judgement& judgement, const Card&) {
  const ProbeResult& probe = judgement.facts.native.hip.probe;
  if (probe.outcome != ProbeOutcome::failed) return false;
  const StatusCodeRow* row = judgement.matrix.find_status("hip", probe.code);
  const std::string code = row && !row->finding.empty() ? row->finding : code::hip_failed;
  const std::string found = fmt::format("{} {}", probe.code, probe.code_name);
  judgement.add(code.c_str(), Severity::blocked, {found, "", call_of(probe, library_name)}, found);
  return true;
}

constexpr bool (*causes[])(Judgement&, const Card&) = {
    other_driver_has_it, is_on_wsl,          module_is_missing, kfd_is_missing, kfd_is_closed,
    is_unknown_to_kfd,   library_is_missing, library_hangs,     card_is_hidden, call_failed,
};

}  // namespace

void check_amd_driver(Judgement& judgement, const Card& card) {
  if (card.hip) return;
  for (const auto cause : causes) {
    // Other cards work, so the machine has what this cause says is missing.
    const bool about_the_machine = cause == kfd_is_missing || cause == kfd_is_closed;
    if (about_the_machine && hip_has_answered(judgement.facts)) continue;
    if (cause(judgement, card)) return;
  }
  judgement.add(code::hip_no_device, Severity::blocked,
                {"no device", card.name, "hipGetDeviceCount"});
}

}  // namespace platform
