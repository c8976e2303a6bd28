#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/shield.h"
#include "server/base/error.h"

namespace server {

namespace errc {
// This code is also what the decoder and the worker report.
inline constexpr char sandbox_missing[] = "sandbox_missing";
}  // namespace errc

// The sandbox of one of our programs, as a process of that program has tried it on this machine.
struct SandboxCheck {
  std::string program{};  // "scribed-decode"
  std::vector<platform::Shield> shields{};
  std::string problem{};  // why the program could not be asked
};

// Checks both programs that read foreign input, in parallel. It blocks for a fraction of a second.
std::vector<SandboxCheck> check_sandboxes();

// Returns the first missing shield as an error; empty if all are active.
std::optional<Error> sandbox_error(const std::vector<SandboxCheck>& checks);

}  // namespace server
