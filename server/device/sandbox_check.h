#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/shield.h"
#include "server/base/error.h"

namespace server {

namespace errc {
// Also the decoder's and the worker's word.
inline constexpr char sandbox_missing[] = "sandbox_missing";
}  // namespace errc

// The sandbox of one of our programs, as a process of it has tried it on this machine.
struct SandboxCheck {
  std::string program{};  // "scribed-decode"
  std::vector<platform::Shield> shields{};
  std::string problem{};  // why it could not be asked
};

// Both programs that read what comes from outside, side by side; a fraction of a second. Blocks.
std::vector<SandboxCheck> check_sandboxes();

// The first shield that is missing, as an error; nothing where all stand.
std::optional<Error> sandbox_error(const std::vector<SandboxCheck>& checks);

}  // namespace server
