#pragma once

#include <filesystem>

#include "server/base/error.h"
#include "server/config/config.h"

namespace server {

// Sets the values of a TOML file. The error names file and line. Errors: bad_config,
// input_not_found, input_unreadable.
Result<void> apply_file(const std::filesystem::path& file, Config& config);

}  // namespace server
