// A libamdhip64.so.6 that answers from a document.
#include <cstring>
#include <map>
#include <type_traits>

#include "fake_world.h"
#include "platform/probe/hip_api.h"

namespace {

namespace api = platform::hip_api;

constexpr int no_device = 100;
constexpr int invalid_device = 101;
constexpr std::size_t real_properties_bytes = 1472;

struct Words {
  const char* name;
  const char* text;
};

Words words_of(int code) {
  static const std::map<int, Words> table{
      {0, {"hipSuccess", "no error"}},
      {2, {"hipErrorOutOfMemory", "out of memory"}},
      {3, {"hipErrorNotInitialized", "initialization error"}},
      {35, {"hipErrorInsufficientDriver", "driver version is insufficient for runtime version"}},
      {98, {"hipErrorInvalidDeviceFunction", "invalid device function"}},
      {100, {"hipErrorNoDevice", "no ROCm-capable device is detected"}},
      {101, {"hipErrorInvalidDevice", "invalid device ordinal"}},
      {209,
       {"hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"}}};
  const auto found = table.find(code);
  return found != table.end() ? found->second : Words{"hipErrorUnknown", "unknown error"};
}

std::vector<nlohmann::json> devices() {
  return fake::visible_devices(
      "hip", {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"});
}

// Returns the document's code for the function; if that is 0, the result of `fill` for the device.
template <class Fill>
int of_device(const char* function, int index, Fill fill) {
  if (const int code = fake::enter("hip", function)) return code;
  const auto list = devices();
  if (index < 0 || index >= static_cast<int>(list.size())) return invalid_device;
  fill(list[static_cast<std::size_t>(index)]);
  return 0;
}

std::size_t bytes(const nlohmann::json& device, const char* key) {
  return static_cast<std::size_t>(device.value(key, 0) * fake::mebibyte);
}

int& current_device() {
  static int device = 0;
  return device;
}

// Behaves as the document says when it is loaded: the entry is its SONAME, as for parts without
// functions.
[[maybe_unused]] const int loaded = fake::enter("hip", FAKE_SONAME);

}  // namespace

extern "C" {

int hipInit(unsigned) {
  return fake::enter("hip", "hipInit");
}

int hipRuntimeGetVersion(int* version) {
  *version = fake::section("hip").value("runtime", 60342000);
  return fake::enter("hip", "hipRuntimeGetVersion");
}

int hipGetDeviceCount(int* count) {
  const int code = fake::enter("hip", "hipGetDeviceCount");
  *count = static_cast<int>(devices().size());
  return code == 0 && *count == 0 ? no_device : code;
}

int hipSetDevice(int device) {
  return of_device("hipSetDevice", device, [&](const auto&) { current_device() = device; });
}

int hipDeviceGetName(char* name, int size, int device) {
  return of_device("hipDeviceGetName", device, [&](const auto& json) {
    fake::copy_text(json.value("name", ""), name, static_cast<std::size_t>(size));
  });
}

int hipDeviceGetPCIBusId(char* id, int size, int device) {
  return of_device("hipDeviceGetPCIBusId", device, [&](const auto& json) {
    fake::copy_text(json.value("pci", ""), id, static_cast<std::size_t>(size));
  });
}

int hipDeviceTotalMem(std::size_t* total, int device) {
  return of_device("hipDeviceTotalMem", device,
                   [&](const auto& json) { *total = bytes(json, "total_mib"); });
}

int hipMemGetInfo(std::size_t* free, std::size_t* total) {
  return of_device("hipMemGetInfo", current_device(), [&](const auto& json) {
    *free = bytes(json, "free_mib");
    *total = bytes(json, "total_mib");
  });
}

int hipGetDevicePropertiesR0600(void* properties, int device) {
  return of_device("hipGetDevicePropertiesR0600", device, [&](const auto& json) {
    auto* out = static_cast<char*>(properties);
    std::memset(out, 0, real_properties_bytes);
    fake::copy_text(json.value("name", ""), out, 256);
    fake::copy_text(json.value("gfx", ""), out + api::architecture_offset, api::architecture_bytes);
  });
}

const char* hipGetErrorName(int code) {
  return words_of(code).name;
}

const char* hipGetErrorString(int code) {
  return words_of(code).text;
}

}  // extern "C"

static_assert(std::is_same_v<decltype(hipInit), api::Init>);
static_assert(std::is_same_v<decltype(hipRuntimeGetVersion), api::RuntimeGetVersion>);
static_assert(std::is_same_v<decltype(hipSetDevice), api::SetDevice>);
static_assert(std::is_same_v<decltype(hipDeviceGetName), api::DeviceGetName>);
static_assert(std::is_same_v<decltype(hipDeviceGetPCIBusId), api::DeviceGetPciBusId>);
static_assert(std::is_same_v<decltype(hipDeviceTotalMem), api::DeviceTotalMem>);
static_assert(std::is_same_v<decltype(hipMemGetInfo), api::MemGetInfo>);
static_assert(std::is_same_v<decltype(hipGetDevicePropertiesR0600), api::GetDeviceProperties>);
static_assert(std::is_same_v<decltype(hipGetErrorName), api::GetErrorText>);
