#pragma once

#include <filesystem>

#include "server/base/error.h"

namespace server {

// The other programs of scribed.
struct Programs {
  std::filesystem::path decoder;
};

// Finds them in platform::helper_folder. Workers are found by platform::find_runtime_packs; here it
// is only checked that there is one.
Result<Programs> find_programs();

}  // namespace server
