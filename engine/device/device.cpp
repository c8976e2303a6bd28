#include "engine/device/device.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace engine {
namespace {

std::optional<DeviceKind> parse_kind(std::string_view text) {
  if (text == "cpu" || text == "auto") return DeviceKind::cpu;
  if (text == "cuda") return DeviceKind::cuda;
  if (text == "rocm") return DeviceKind::rocm;
  if (text == "mps") return DeviceKind::mps;
  return std::nullopt;
}

bool is_numbered(DeviceKind kind) {
  return kind == DeviceKind::cuda || kind == DeviceKind::rocm;
}

std::optional<int> parse_index(std::string_view text) {
  constexpr int most_devices = 128;  // libtorch counts them in a byte
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && index >= 0 && index < most_devices ? std::optional(index) : std::nullopt;
}

}  // namespace

Result<Device> parse_device(const std::string& text) {
  const auto colon = text.find(':');
  const auto kind = parse_kind(text.substr(0, colon));
  std::optional<int> index = 0;
  if (kind && colon != std::string::npos) {
    index =
        is_numbered(*kind) ? parse_index(std::string_view(text).substr(colon + 1)) : std::nullopt;
  }
  if (!kind || !index) {
    return Error{Errc::invalid_option, "the device '" + text + "' is not known",
                 "Use auto, cpu, cuda:N, rocm:N or mps."};
  }
  return Device{*kind, *index};
}

std::string device_text(const Device& device) {
  switch (device.kind) {
    case DeviceKind::cpu:
      return "cpu";
    case DeviceKind::cuda:
      return "cuda:" + std::to_string(device.index);
    case DeviceKind::rocm:
      return "rocm:" + std::to_string(device.index);
    case DeviceKind::mps:
      return "mps";
  }
  return "cpu";
}

}  // namespace engine
