#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/facts/native_facts_json.h"
#include "platform/facts/pci_address.h"
#include "platform/probe/caller.h"
#include "platform/probe/hip_api.h"
#include "platform/probe/library_search.h"
#include "platform/probe/vendor_probes.h"

namespace platform {
namespace {

namespace api = hip_api;
namespace fs = std::filesystem;

constexpr std::array names{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

// Returns what to load, best first: the library that a worker of one of the packs would get, then
// the system's.
std::vector<std::string> candidates(const std::vector<fs::path>& packs) {
  std::vector<std::string> list;
  for (const auto& pack : packs) {
    const LibrarySearch search(pack, "libtorch_hip.so");
    // Some builds of libtorch carry the library under its bare name.
    for (const char* name : {names[0], names[1], names[2], "libamdhip64.so"}) {
      if (const auto file = search.find(name)) list.push_back(file->string());
    }
  }
  list.insert(list.end(), names.begin(), names.end());
  return list;
}

CodeWords explain(const Library& library, int code) {
  const auto text = [&](const char* name) -> std::string {
    auto* function = library.function<api::GetErrorText>(name);
    const char* words = function != nullptr ? function(code) : nullptr;
    return words != nullptr ? words : "";
  };
  return {text("hipGetErrorName"), text("hipGetErrorString")};
}

std::string runtime_version(int number) {
  return std::to_string(number / 10'000'000) + '.' + std::to_string(number / 100'000 % 100) + '.' +
         std::to_string(number % 100'000);
}

// Returns gfx906 for "gfx906:sramecc+:xnack-". Empty for anything that is no such name, which a
// runtime with another layout of the properties would give.
std::string ask_gfx(Caller& caller, int index) {
  alignas(std::max_align_t) std::array<char, api::properties_bytes> properties{};
  if (!caller.ask<api::GetDeviceProperties>({"hipGetDevicePropertiesR0600"}, properties.data(),
                                            index)) {
    return {};
  }
  std::string_view text(properties.data() + api::architecture_offset, api::architecture_bytes);
  text = text.substr(0, text.find('\0'));
  return std::string(text.starts_with("gfx") ? text.substr(0, text.find(':')) : "");
}

void ask_memory(Caller& caller, int index, HipDevice& device) {
  std::size_t free = 0;
  std::size_t total = 0;
  if (caller.ask<api::SetDevice>({"hipSetDevice"}, index) &&
      caller.ask<api::MemGetInfo>({"hipMemGetInfo"}, &free, &total)) {
    device.free_memory = static_cast<std::int64_t>(free);
  } else {
    caller.require<api::DeviceTotalMem>({"hipDeviceTotalMem"}, &total, index);
  }
  device.total_memory = static_cast<std::int64_t>(total);
}

HipDevice ask_device(Caller& caller, int index) {
  HipDevice device{.index = index};
  std::array<char, 256> text{};
  const auto size = static_cast<int>(text.size() - 1);
  if (caller.require<api::DeviceGetName>({"hipDeviceGetName"}, text.data(), size, index)) {
    device.name = text.data();
  }
  text.fill('\0');
  if (caller.ask<api::DeviceGetPciBusId>({"hipDeviceGetPCIBusId"}, text.data(), size, index)) {
    device.pci_address = pci_address(text.data());
  }
  device.gfx = ask_gfx(caller, index);
  ask_memory(caller, index, device);
  return device;
}

}  // namespace

HipFacts ask_hip(Report& report, const std::vector<fs::path>& packs) {
  HipFacts facts;
  auto library = open_for(report, facts.probe, candidates(packs));
  if (!library) return facts;
  report.so_far(to_json(facts));
  Caller caller(report, facts.probe, std::move(*library), explain);
  if (!caller.require<api::Init>({"hipInit"}, 0U)) return facts;
  int number = 0;
  if (caller.ask<api::RuntimeGetVersion>({"hipRuntimeGetVersion"}, &number)) {
    facts.runtime_version = runtime_version(number);
  }
  int count = 0;
  if (!caller.require<api::GetDeviceCount>({"hipGetDeviceCount"}, &count)) return facts;
  for (int index = 0; index < count; ++index) {
    facts.devices.push_back(ask_device(caller, index));
    report.so_far(to_json(facts));
  }
  if (facts.probe.outcome == ProbeOutcome::not_run) facts.probe.outcome = ProbeOutcome::answered;
  return facts;
}

}  // namespace platform
