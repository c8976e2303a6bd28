#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"

// scribed removes files in these folders, so they must belong to it and to nobody else.
namespace server {

// Opens the folder itself, and not what a link of its name leads to. It is made with mode 0700
// if it does not exist, and closed to others where it does. Errors: io_error, also for a folder
// of another user.
Result<platform::UniqueFd> open_own_folder(const std::filesystem::path& folder);

// Returns the names without "." and "..", in no order.
std::vector<std::string> names_in(const platform::UniqueFd& folder);

// Returns whether scribed gives such a name to files: an id, or an id with ".json", ".part" or
// ".peaks".
bool is_own_name(const std::string& name);

}  // namespace server
