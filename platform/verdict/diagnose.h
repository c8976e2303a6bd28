#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/device.h"
#include "platform/matrix/matrix.h"
#include "platform/verdict/finding.h"

namespace platform {

// The device that failed, and who reported it.
struct FailedDevice {
  Backend backend = Backend::cpu;
  std::string card{};       // used in the headline, as the pack is
  std::string pack{};       // "cuda-13"
  std::string read_from{};  // "what the worker said"
};

// Returns the finding for the text of a failure, which a worker or a library printed before it
// died. A signature matches where one line holds all its parts; rows about GPUs of another maker
// are skipped. Empty if no signature of the matrix matches.
std::optional<Finding> diagnose(std::string_view failure, const Matrix& matrix,
                                const FailedDevice& device);

}  // namespace platform
