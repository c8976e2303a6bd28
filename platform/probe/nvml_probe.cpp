#include <array>
#include <optional>

#include "platform/facts/native_facts_json.h"
#include "platform/facts/pci_address.h"
#include "platform/probe/caller.h"
#include "platform/probe/nvml_api.h"
#include "platform/probe/vendor_probes.h"

namespace platform {
namespace {

namespace api = nvml_api;

CodeWords explain(const Library& library, int code) {
  auto* function = library.function<api::ErrorString>("nvmlErrorString");
  const char* text = function != nullptr ? function(code) : nullptr;
  return {{}, text != nullptr ? text : ""};
}

std::string ask_text(Caller& caller, const char* function, api::Device device) {
  std::array<char, 256> text{};
  const auto size = static_cast<unsigned>(text.size() - 1);
  return caller.ask<api::DeviceGetText>({function}, device, text.data(), size) ? text.data() : "";
}

bool mig_is_on(Caller& caller, api::Device device) {
  unsigned current = 0;
  unsigned pending = 0;
  return caller.ask<api::DeviceGetMigMode>({"nvmlDeviceGetMigMode"}, device, &current, &pending) &&
         current != 0;
}

// Returns the handle whose memory a process will get. For a card in MIG mode that is an instance,
// which is known only if there is exactly one.
std::optional<api::Device> memory_owner(Caller& caller, api::Device card, bool mig) {
  if (!mig) return card;
  unsigned slots = 0;
  caller.ask<api::DeviceGetMaxMigDeviceCount>({"nvmlDeviceGetMaxMigDeviceCount"}, card, &slots);
  std::optional<api::Device> only;
  for (unsigned slot = 0; slot < slots; ++slot) {
    api::Device instance = nullptr;
    if (!caller.ask<api::DeviceGetMigDeviceHandleByIndex>({"nvmlDeviceGetMigDeviceHandleByIndex"},
                                                          card, slot, &instance)) {
      continue;
    }
    if (only) return {};
    only = instance;
  }
  return only;
}

std::optional<NvmlDevice> ask_device(Caller& caller, unsigned index) {
  api::Device handle = nullptr;
  if (!caller.require<api::DeviceGetHandleByIndex>(
          {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}, index, &handle)) {
    return {};
  }
  NvmlDevice device{.name = ask_text(caller, "nvmlDeviceGetName", handle),
                    .uuid = ask_text(caller, "nvmlDeviceGetUUID", handle)};
  api::PciInfo pci{};
  if (caller.ask<api::DeviceGetPciInfo>(
          {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"}, handle,
          &pci)) {
    device.pci_address = pci_address(pci.domain, pci.bus, pci.device);
  }
  device.mig = mig_is_on(caller, handle);
  api::Memory memory{};
  const auto owner = memory_owner(caller, handle, device.mig);
  if (owner && caller.ask<api::DeviceGetMemoryInfo>({"nvmlDeviceGetMemoryInfo"}, *owner, &memory)) {
    device.total_memory = static_cast<std::int64_t>(memory.total);
    device.free_memory = static_cast<std::int64_t>(memory.free);
  }
  int mode = 0;
  caller.ask<api::DeviceGetComputeMode>({"nvmlDeviceGetComputeMode"}, handle, &mode);
  device.exclusive = mode != 0;
  return device;
}

}  // namespace

NvmlFacts ask_nvml(Report& report) {
  NvmlFacts facts;
  auto library = open_for(report, facts.probe, {"libnvidia-ml.so.1"});
  if (!library) return facts;
  report.so_far(to_json(facts));
  Caller caller(report, facts.probe, std::move(*library), explain);
  if (!caller.require<api::Init>({"nvmlInit_v2", "nvmlInit"})) return facts;
  std::array<char, 128> version{};
  if (caller.ask<api::SystemGetDriverVersion>({"nvmlSystemGetDriverVersion"}, version.data(),
                                              static_cast<unsigned>(version.size() - 1))) {
    facts.driver_version = version.data();
  }
  unsigned count = 0;
  if (!caller.require<api::DeviceGetCount>({"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"},
                                           &count)) {
    return facts;
  }
  for (unsigned index = 0; index < count; ++index) {
    if (auto device = ask_device(caller, index)) facts.devices.push_back(std::move(*device));
    report.so_far(to_json(facts));
  }
  if (facts.probe.outcome == ProbeOutcome::not_run) facts.probe.outcome = ProbeOutcome::answered;
  return facts;
}

}  // namespace platform
