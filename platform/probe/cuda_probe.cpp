#include <array>
#include <cstdio>
#include <optional>

#include "platform/facts/native_facts_json.h"
#include "platform/facts/pci_address.h"
#include "platform/probe/caller.h"
#include "platform/probe/cuda_api.h"
#include "platform/probe/vendor_probes.h"
#include "platform/version.h"

namespace platform {
namespace {

namespace api = cuda_api;

CodeWords explain(const Library& library, int code) {
  const auto text = [&](const char* name) -> std::string {
    auto* function = library.function<api::GetErrorText>(name);
    const char* words = nullptr;
    if (function == nullptr || function(code, &words) != 0 || words == nullptr) return {};
    return words;
  };
  return {text("cuGetErrorName"), text("cuGetErrorString")};
}

// Writes 16 bytes as the driver's tools do: GPU-01234567-89ab-cdef-0123-456789abcdef.
std::string uuid_text(const api::Uuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex.data();
  }
  return text;
}

int attribute(Caller& caller, int which, api::Device device) {
  int value = 0;
  caller.require<api::DeviceGetAttribute>({"cuDeviceGetAttribute"}, &value, which, device);
  return value;
}

std::optional<CudaDevice> ask_device(Caller& caller, int index) {
  api::Device handle = 0;
  if (!caller.require<api::DeviceGet>({"cuDeviceGet"}, &handle, index)) return {};
  CudaDevice device{.index = index};
  std::array<char, 256> text{};
  const auto size = static_cast<int>(text.size() - 1);
  if (caller.require<api::DeviceGetName>({"cuDeviceGetName"}, text.data(), size, handle)) {
    device.name = text.data();
  }
  text.fill('\0');
  if (caller.ask<api::DeviceGetPciBusId>({"cuDeviceGetPCIBusId"}, text.data(), size, handle)) {
    device.pci_address = pci_address(text.data());
  }
  api::Uuid uuid{};
  if (caller.ask<api::DeviceGetUuid>({"cuDeviceGetUuid"}, &uuid, handle)) {
    device.uuid = uuid_text(uuid);
  }
  std::size_t bytes = 0;
  caller.require<api::DeviceTotalMem>({"cuDeviceTotalMem_v2"}, &bytes, handle);
  device.total_memory = static_cast<std::int64_t>(bytes);
  device.compute_capability = {attribute(caller, api::attribute_capability_major, handle),
                               attribute(caller, api::attribute_capability_minor, handle)};
  device.multiprocessors = attribute(caller, api::attribute_multiprocessors, handle);
  device.integrated = attribute(caller, api::attribute_integrated, handle) != 0;
  return device;
}

}  // namespace

CudaFacts ask_cuda(Report& report) {
  CudaFacts facts;
  auto library = open_for(report, facts.probe, {"libcuda.so.1"});
  if (!library) return facts;
  report.so_far(to_json(facts));
  Caller caller(report, facts.probe, std::move(*library), explain);
  // The version can be read without initialising, and helps where that fails.
  int number = 0;
  if (caller.ask<api::DriverGetVersion>({"cuDriverGetVersion"}, &number) && number > 0) {
    facts.driver_cuda = decode_cuda_version(number).text();
    report.so_far(to_json(facts));
  }
  int count = 0;
  if (!caller.require<api::Init>({"cuInit"}, 0U) ||
      !caller.require<api::DeviceGetCount>({"cuDeviceGetCount"}, &count)) {
    return facts;
  }
  for (int index = 0; index < count; ++index) {
    if (auto device = ask_device(caller, index)) facts.devices.push_back(std::move(*device));
    report.so_far(to_json(facts));
  }
  if (facts.probe.outcome == ProbeOutcome::not_run) facts.probe.outcome = ProbeOutcome::answered;
  return facts;
}

}  // namespace platform
