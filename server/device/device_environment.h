#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "platform/device.h"
#include "server/base/environment.h"
#include "server/base/error.h"

namespace server {

// Returns the device if none was named: $GPU_BACKEND (auto, cuda, rocm, mps, cpu), else the
// older $USE_CUDA, whose "false" means cpu; else auto. An unknown value is a usage error.
Result<platform::DeviceRequest> device_from_environment(const Environment& environment);

// Reads $SCRIBED_REQUIRE_GPU.
Result<bool> gpu_required_by_environment(const Environment& environment);

// Returns the time that a vendor's library has to answer: $SCRIBED_PROBE_SECONDS, else 15 s.
Result<std::chrono::milliseconds> probe_limit_from_environment(const Environment& environment);

}  // namespace server
