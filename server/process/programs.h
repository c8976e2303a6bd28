#pragma once

#include <filesystem>

#include "server/error.h"

namespace server {

// The other programs of scribed.
struct Programs {
  std::filesystem::path decoder;
  std::filesystem::path worker;  // of the CPU pack
};

// $SCRIBED_LIBEXEC where it is set, else the folder of this program.
Result<Programs> find_programs();

}  // namespace server
