#include "platform/device.h"

#include <array>
#include <charconv>

namespace platform {
namespace {

constexpr std::array backends{Backend::cuda, Backend::rocm, Backend::mps, Backend::cpu};

Error not_a_device(std::string_view text) {
  return {"'" + std::string(text) + "' is not a device",
          "Devices are auto, cuda, cuda:N, rocm, rocm:N, mps and cpu, where N counts from 0."};
}

}  // namespace

const char* name(Backend backend) {
  switch (backend) {
    case Backend::cuda:
      return "cuda";
    case Backend::rocm:
      return "rocm";
    case Backend::mps:
      return "mps";
    case Backend::cpu:
      return "cpu";
  }
  return "";
}

std::optional<Backend> parse_backend(std::string_view text) {
  for (const Backend backend : backends) {
    if (text == name(backend)) return backend;
  }
  return std::nullopt;
}

Result<DeviceRequest> parse_device(std::string_view text) {
  if (text == "auto") return DeviceRequest{};
  const auto colon = text.find(':');
  const auto backend = parse_backend(text.substr(0, colon));
  if (!backend) return not_a_device(text);
  if (colon == std::string_view::npos) return DeviceRequest{backend, std::nullopt};
  if (*backend != Backend::cuda && *backend != Backend::rocm) return not_a_device(text);
  const auto number = text.substr(colon + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool is_number = error == std::errc{} && end == number.data() + number.size();
  if (!is_number || index < 0) return not_a_device(text);
  return DeviceRequest{backend, index};
}

std::string to_string(const DeviceRequest& request) {
  if (!request.backend) return "auto";
  std::string text = name(*request.backend);
  if (request.index) text += ":" + std::to_string(*request.index);
  return text;
}

}  // namespace platform
