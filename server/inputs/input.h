#pragma once

#include <string>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

namespace errc {
// These are about recordings that are kept elsewhere: one is no longer there, or none can be had or
// kept for a while.
inline constexpr char input_lost[] = "input_lost";
inline constexpr char inputs_unavailable[] = "recordings_unavailable";
}  // namespace errc

struct Input {
  platform::UniqueFd fd;
  bool may_pause = false;  // a pipe, socket or terminal, rather than a file
};

// Opens a file, or takes stdin for "-". A folder is refused here: a decoder can only read files.
// The error does not repeat the name.
Result<Input> open_input(const std::string& name);

}  // namespace server
