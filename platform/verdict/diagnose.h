#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/device.h"
#include "platform/matrix/matrix.h"
#include "platform/verdict/finding.h"

namespace platform {

// What failed, and who said so.
struct FailedDevice {
  Backend backend = Backend::cpu;
  std::string card{};       // for the headline, as is the pack
  std::string pack{};       // "cuda-13"
  std::string read_from{};  // "what the worker said"
};

// The finding that the text of a failure belongs to: what a worker or a library said before it
// died. A signature matches where one line holds all its parts; rows about GPUs of another maker
// are passed over. Nothing where no signature of the matrix matches.
std::optional<Finding> diagnose(std::string_view failure, const Matrix& matrix,
                                const FailedDevice& device);

}  // namespace platform
