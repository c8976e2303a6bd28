#pragma once

#include <filesystem>
#include <string>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// The name by which the daemons of a database know the one of this state folder, at each of its
// starts.
struct NodeName {
  std::string name{};
  platform::UniqueFd lock{};  // held as long as this object lives: a name is one daemon's
};

// Reads the name of the folder, which is made at the first call. Errors: io_error, store_busy
// (another scribed has the folder).
Result<NodeName> take_node_name(const std::filesystem::path& folder);

}  // namespace server
