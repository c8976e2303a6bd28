// A libnvidia-ml.so.1 that answers from a document. It ignores CUDA_VISIBLE_DEVICES, as the real
// one does.
#include <cstdio>
#include <map>
#include <type_traits>

#include "fake_world.h"
#include "platform/probe/nvml_api.h"

namespace platform::nvml_api {

// A card, or one of its MIG instances.
struct DeviceHandle {
  nlohmann::json json;
  std::vector<DeviceHandle> instances;
};

}  // namespace platform::nvml_api

namespace {

namespace api = platform::nvml_api;

constexpr int invalid_argument = 2;
constexpr int not_found = 6;
constexpr unsigned mig_slots = 7;

std::vector<api::DeviceHandle> handles(const std::vector<nlohmann::json>& list) {
  std::vector<api::DeviceHandle> result;
  for (const auto& json : list) {
    const auto instances = json.value("mig_instances", std::vector<nlohmann::json>());
    result.push_back({json, handles(instances)});
  }
  return result;
}

std::vector<api::DeviceHandle>& devices() {
  static auto list = handles(fake::visible_devices("nvml", {}));
  return list;
}

int text_of(const char* function, const char* key, api::Device device, char* text, unsigned size) {
  const int code = fake::enter("nvml", function);
  if (code == 0) fake::copy_text(device->json.value(key, ""), text, size);
  return code;
}

unsigned long long bytes(api::Device device, const char* key) {
  return static_cast<unsigned long long>(device->json.value(key, 0) * fake::mebibyte);
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return fake::enter("nvml", "nvmlInit_v2");
}

int nvmlShutdown() {
  return fake::enter("nvml", "nvmlShutdown");
}

int nvmlSystemGetDriverVersion(char* version, unsigned size) {
  fake::copy_text(fake::section("nvml").value("driver", "580.65.06"), version, size);
  return fake::enter("nvml", "nvmlSystemGetDriverVersion");
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(devices().size());
  return fake::enter("nvml", "nvmlDeviceGetCount_v2");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, api::Device* device) {
  const int code = fake::enter("nvml", "nvmlDeviceGetHandleByIndex_v2");
  if (code != 0) return code;
  if (index >= devices().size()) return invalid_argument;
  *device = &devices()[index];
  return (*device)->json.value("handle_result", 0);
}

int nvmlDeviceGetName(api::Device device, char* text, unsigned size) {
  return text_of("nvmlDeviceGetName", "name", device, text, size);
}

int nvmlDeviceGetUUID(api::Device device, char* text, unsigned size) {
  return text_of("nvmlDeviceGetUUID", "uuid", device, text, size);
}

int nvmlDeviceGetPciInfo_v3(api::Device device, api::PciInfo* info) {
  const std::string address = device->json.value("pci", "");
  fake::copy_text(address, info->bus_id_legacy, sizeof info->bus_id_legacy);
  fake::copy_text("0000" + address, info->bus_id, sizeof info->bus_id);
  std::sscanf(address.c_str(), "%x:%x:%x", &info->domain, &info->bus, &info->device);
  return fake::enter("nvml", "nvmlDeviceGetPciInfo_v3");
}

int nvmlDeviceGetMemoryInfo(api::Device device, api::Memory* memory) {
  memory->total = bytes(device, "total_mib");
  memory->free = bytes(device, "free_mib");
  memory->used = memory->total - memory->free;
  return fake::enter("nvml", "nvmlDeviceGetMemoryInfo");
}

int nvmlDeviceGetMigMode(api::Device device, unsigned* current, unsigned* pending) {
  *current = *pending = device->json.value("mig", 0U);
  return fake::enter("nvml", "nvmlDeviceGetMigMode");
}

int nvmlDeviceGetMaxMigDeviceCount(api::Device, unsigned* count) {
  *count = mig_slots;
  return fake::enter("nvml", "nvmlDeviceGetMaxMigDeviceCount");
}

int nvmlDeviceGetMigDeviceHandleByIndex(api::Device device, unsigned index, api::Device* instance) {
  const int code = fake::enter("nvml", "nvmlDeviceGetMigDeviceHandleByIndex");
  if (code != 0) return code;
  if (index >= device->instances.size()) return not_found;
  *instance = &device->instances[index];
  return 0;
}

int nvmlDeviceGetComputeMode(api::Device device, int* mode) {
  *mode = device->json.value("compute_mode", 0);
  return fake::enter("nvml", "nvmlDeviceGetComputeMode");
}

const char* nvmlErrorString(int code) {
  static const std::map<int, const char*> table{{0, "Success"},
                                                {4, "Insufficient Permissions"},
                                                {6, "Not Found"},
                                                {9, "Driver Not Loaded"},
                                                {12, "NVML Shared Library Not Found"},
                                                {15, "GPU is lost"},
                                                {17, "Operating system blocked the request"},
                                                {18, "Driver/library version mismatch"},
                                                {999, "Unknown Error"}};
  const auto found = table.find(code);
  return found != table.end() ? found->second : "Unknown Error";
}

}  // extern "C"

static_assert(std::is_same_v<decltype(nvmlInit_v2), api::Init>);
static_assert(std::is_same_v<decltype(nvmlSystemGetDriverVersion), api::SystemGetDriverVersion>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetCount_v2), api::DeviceGetCount>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetHandleByIndex_v2), api::DeviceGetHandleByIndex>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetName), api::DeviceGetText>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetPciInfo_v3), api::DeviceGetPciInfo>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetMemoryInfo), api::DeviceGetMemoryInfo>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetMigMode), api::DeviceGetMigMode>);
static_assert(std::is_same_v<decltype(nvmlDeviceGetComputeMode), api::DeviceGetComputeMode>);
static_assert(std::is_same_v<decltype(nvmlErrorString), api::ErrorString>);
