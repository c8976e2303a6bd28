// A libcuda.so.1 that answers from a document.
#include <array>
#include <cstring>
#include <map>
#include <type_traits>

#include "fake_world.h"
#include "platform/probe/cuda_api.h"

namespace {

namespace api = platform::cuda_api;

constexpr int invalid_value = 1;
constexpr int no_device = 100;
constexpr int invalid_device = 101;

struct Words {
  const char* name;
  const char* text;
};

const std::map<int, Words>& codes() {
  static const std::map<int, Words> table{
      {0, {"CUDA_SUCCESS", "no error"}},
      {2, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {3, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {34, {"CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"}},
      {35, {"CUDA_ERROR_INSUFFICIENT_DRIVER", "CUDA driver version is insufficient"}},
      {46, {"CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"}},
      {100, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
      {101, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {304, {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported"}},
      {802, {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"}},
      {803, {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver"}},
      {804,
       {"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
        "forward compatibility was attempted on non supported HW"}},
      {805, {"CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS client failed to connect"}},
      {999, {"CUDA_ERROR_UNKNOWN", "unknown error"}}};
  return table;
}

std::vector<nlohmann::json> devices() {
  return fake::visible_devices("cuda", {"CUDA_VISIBLE_DEVICES"});
}

// Returns the document's code for the function; if that is 0, the result of `fill` for the device.
template <class Fill>
int of_device(const char* function, int index, Fill fill) {
  if (const int code = fake::enter("cuda", function)) return code;
  const auto list = devices();
  if (index < 0 || index >= static_cast<int>(list.size())) return invalid_device;
  fill(list[static_cast<std::size_t>(index)]);
  return 0;
}

// Reads "GPU-0123…" and the like as 16 bytes; characters that are no hexadecimal digit are skipped.
api::Uuid parse_uuid(const std::string& text) {
  api::Uuid uuid{};
  std::string digits;
  for (const char letter : text.substr(text.starts_with("GPU-") ? 4 : 0)) {
    if (std::isxdigit(static_cast<unsigned char>(letter)) != 0) digits += letter;
  }
  for (std::size_t i = 0; i < sizeof uuid.bytes && 2 * i + 1 < digits.size(); ++i) {
    uuid.bytes[i] = static_cast<unsigned char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  }
  return uuid;
}

int error_words(int code, const char** text, const char* Words::*which) {
  const auto found = codes().find(code);
  *text = found != codes().end() ? found->second.*which : nullptr;
  return found != codes().end() ? 0 : invalid_value;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  return fake::enter("cuda", "cuInit");
}

int cuDriverGetVersion(int* version) {
  *version = fake::section("cuda").value("driver_cuda", 13000);
  return fake::enter("cuda", "cuDriverGetVersion");
}

int cuDeviceGetCount(int* count) {
  const int code = fake::enter("cuda", "cuDeviceGetCount");
  *count = static_cast<int>(devices().size());
  return code == 0 && *count == 0 ? no_device : code;
}

int cuDeviceGet(api::Device* device, int ordinal) {
  return of_device("cuDeviceGet", ordinal, [&](const auto&) { *device = ordinal; });
}

int cuDeviceGetName(char* name, int size, api::Device device) {
  return of_device("cuDeviceGetName", device, [&](const auto& json) {
    fake::copy_text(json.value("name", ""), name, static_cast<std::size_t>(size));
  });
}

int cuDeviceGetPCIBusId(char* id, int size, api::Device device) {
  return of_device("cuDeviceGetPCIBusId", device, [&](const auto& json) {
    fake::copy_text(json.value("pci", ""), id, static_cast<std::size_t>(size));
  });
}

int cuDeviceGetUuid(api::Uuid* uuid, api::Device device) {
  return of_device("cuDeviceGetUuid", device,
                   [&](const auto& json) { *uuid = parse_uuid(json.value("uuid", "")); });
}

int cuDeviceTotalMem_v2(std::size_t* bytes, api::Device device) {
  return of_device("cuDeviceTotalMem_v2", device, [&](const auto& json) {
    *bytes = static_cast<std::size_t>(json.value("total_mib", 0) * fake::mebibyte);
  });
}

int cuDeviceGetAttribute(int* value, int attribute, api::Device device) {
  return of_device("cuDeviceGetAttribute", device, [&](const auto& json) {
    const auto capability = json.value("cc", std::array{0, 0});
    if (attribute == api::attribute_capability_major) *value = capability[0];
    if (attribute == api::attribute_capability_minor) *value = capability[1];
    if (attribute == api::attribute_multiprocessors) *value = json.value("multiprocessors", 0);
    if (attribute == api::attribute_integrated) *value = json.value("integrated", false) ? 1 : 0;
  });
}

int cuGetErrorName(int code, const char** text) {
  return error_words(code, text, &Words::name);
}

int cuGetErrorString(int code, const char** text) {
  return error_words(code, text, &Words::text);
}

}  // extern "C"

// The probe calls these through its own declarations, so both have to agree.
static_assert(std::is_same_v<decltype(cuInit), api::Init>);
static_assert(std::is_same_v<decltype(cuDeviceGet), api::DeviceGet>);
static_assert(std::is_same_v<decltype(cuDeviceGetName), api::DeviceGetName>);
static_assert(std::is_same_v<decltype(cuDeviceGetPCIBusId), api::DeviceGetPciBusId>);
static_assert(std::is_same_v<decltype(cuDeviceGetUuid), api::DeviceGetUuid>);
static_assert(std::is_same_v<decltype(cuDeviceTotalMem_v2), api::DeviceTotalMem>);
static_assert(std::is_same_v<decltype(cuDeviceGetAttribute), api::DeviceGetAttribute>);
static_assert(std::is_same_v<decltype(cuGetErrorName), api::GetErrorText>);
