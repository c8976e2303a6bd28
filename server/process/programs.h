#pragma once

#include <filesystem>

#include "server/error.h"

namespace server {

// The other programs of scribed.
struct Programs {
  std::filesystem::path decoder;
};

// $SCRIBED_LIBEXEC where it is set, else the folder of this program. The workers are found by
// platform::find_runtime_packs; here it is only made sure that there is one.
Result<Programs> find_programs();

}  // namespace server
