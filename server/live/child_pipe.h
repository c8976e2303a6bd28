#pragma once

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// A pipe from this process to a child: the child's end blocks, ours does not.
struct ChildPipe {
  platform::UniqueFd read;
  platform::UniqueFd write;
};

// Errors: internal, and out_of_descriptors.
Result<ChildPipe> open_child_pipe();

}  // namespace server
