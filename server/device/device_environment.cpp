#include "server/device/device_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace server {
namespace {

constexpr char backend_variable[] = "GPU_BACKEND";
constexpr char use_cuda_variable[] = "USE_CUDA";
constexpr char require_variable[] = "SCRIBED_REQUIRE_GPU";
constexpr char probe_variable[] = "SCRIBED_PROBE_SECONDS";
constexpr double longest_probe_s = 600;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

Error bad_value(const char* variable, const std::string& value, const char* possible) {
  return {errc::usage,
          fmt::format("the environment variable {} is '{}', which means nothing", variable, value),
          fmt::format("Set it to {}, or unset it.", possible)};
}

// Reads a flag; empty if the variable is not set.
Result<std::optional<bool>> read_flag(const Environment& environment, const char* variable) {
  constexpr std::array yes{"true", "yes", "on", "1"};
  constexpr std::array no{"false", "no", "off", "0"};
  const std::string value = environment(variable);
  if (value.empty()) return std::optional<bool>{};
  if (std::ranges::find(yes, lower(value)) != yes.end()) return std::optional(true);
  if (std::ranges::find(no, lower(value)) != no.end()) return std::optional(false);
  return bad_value(variable, value, "true or false");
}

}  // namespace

Result<platform::DeviceRequest> device_from_environment(const Environment& environment) {
  if (const std::string value = environment(backend_variable); !value.empty()) {
    const auto device = platform::parse_device(lower(value));
    if (!device) return bad_value(backend_variable, value, "auto, cuda, rocm, mps or cpu");
    return *device;
  }
  const auto use_cuda = read_flag(environment, use_cuda_variable);
  if (!use_cuda) return use_cuda.error();
  platform::DeviceRequest device;
  if (*use_cuda == false) device.backend = platform::Backend::cpu;
  return device;
}

Result<bool> gpu_required_by_environment(const Environment& environment) {
  const auto required = read_flag(environment, require_variable);
  if (!required) return required.error();
  return required->value_or(false);
}

Result<std::chrono::milliseconds> probe_limit_from_environment(const Environment& environment) {
  const std::string value = environment(probe_variable);
  if (value.empty()) return std::chrono::milliseconds(15'000);
  double seconds = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  const bool whole = failure == std::errc{} && end == value.data() + value.size();
  if (!whole || !(seconds > 0 && seconds <= longest_probe_s)) {
    return bad_value(probe_variable, value, "a number of seconds up to 600");
  }
  return std::chrono::milliseconds(static_cast<long>(std::ceil(seconds * 1000)));
}

}  // namespace server
