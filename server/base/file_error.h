#pragma once

#include <filesystem>
#include <string>

#include "server/base/error.h"

namespace server {

// Makes an error of a failed system call on a file of ours: out_of_disk, io_error, or that of
// exhausted_or().
Error file_error(const std::string& doing, const std::filesystem::path& file, int error_number);

// Syncs `folder`: new and removed names in it are on the disk when this returns.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace server
