#pragma once

#include <string>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

struct Input {
  platform::UniqueFd fd;
  bool may_pause = false;  // a pipe, socket or terminal, rather than a file
};

// Opens a file, or takes stdin for "-". A folder is refused here: a decoder can only read files.
// The error does not repeat the name.
Result<Input> open_input(const std::string& name);

}  // namespace server
