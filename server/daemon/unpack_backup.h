#pragma once

#include <filesystem>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// Unpacks a backup into an empty folder, as files of this user alone. It takes what
// scribed puts into backups and nothing else: names cannot lead out of the folder. Errors:
// damaged_backup, out_of_disk, io_error.
Result<void> unpack_backup(platform::UniqueFd backup, const std::filesystem::path& folder);

}  // namespace server
