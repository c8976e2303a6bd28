#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/error.h"

namespace platform {

// Backends, in the order in which `auto` prefers them.
enum class Backend { cuda, rocm, mps, cpu };

const char* name(Backend backend);  // "cuda", …
std::optional<Backend> parse_backend(std::string_view text);

// The device that the user asked for: auto | cuda[:N] | rocm[:N] | mps | cpu.
struct DeviceRequest {
  std::optional<Backend> backend{};  // empty: auto
  std::optional<int> index{};        // among the devices of the backend, in the order that the
                                     // driver shows to this process

  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

Result<DeviceRequest> parse_device(std::string_view text);
std::string to_string(const DeviceRequest& request);  // "auto", "cuda:1", …

}  // namespace platform
