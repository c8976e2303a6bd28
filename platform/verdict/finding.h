#pragma once

#include <string>
#include <vector>

namespace platform {

// The weight of a finding. `unknown` means that the matrix has no row for it, which is never ok.
enum class Severity { note, degraded, unknown, blocked };

const char* name(Severity severity);

struct Evidence {
  std::string found{};
  std::string needed{};
  std::string read_from{};  // a file, a function of a library, a variable, a row of the matrix
};

struct Finding {
  std::string code{};  // stable: "CUDA_DRIVER_TOO_OLD" (finding_codes.h)
  Severity severity = Severity::blocked;
  std::string headline{};  // one sentence that names the card, without a full stop
  Evidence evidence{};
  std::vector<std::string> fix{};  // steps, in order
  std::string link{};              // as "docs/gpu-findings.md#cuda_driver_too_old"
};

}  // namespace platform
