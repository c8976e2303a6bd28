#pragma once

#include <filesystem>
#include <string>

#include "server/base/error.h"

namespace server {

// The error of a backup that scribed has not made, or that is not whole.
Error damaged_backup(std::string message);

// Checks a database of jobs that comes from outside, as that of a backup does, before anything else
// opens it: it is whole, has the tables, indexes and triggers of its version and no other ones, and
// its jobs have ids. The errors are damaged_backup and newer_store.
Result<void> check_foreign_database(const std::filesystem::path& file);

}  // namespace server
