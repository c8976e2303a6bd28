#pragma once

#include <filesystem>
#include <string>

#include "server/base/error.h"

namespace server {

// What a failed call of the system with a file of ours means: out_of_disk or io_error.
Error file_error(const std::string& doing, const std::filesystem::path& file, int error_number);

// New and removed names in `folder` are on the disk when this returns.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace server
