#pragma once

#include <filesystem>

#include "server/base/error.h"

// The state folder holds jobs, recordings and uploads.
namespace server {

// Makes the folder, for this user alone, if it does not exist. Errors: io_error; bad_config
// where it looks like a folder of somebody else: without jobs, but with files where recordings
// would be.
Result<void> prepare_state_folder(const std::filesystem::path& folder);

// Moves the database of jobs, which is damaged, and the recordings of its jobs into a folder, and
// returns that. Nothing is lost, and the next start begins anew. The database must be closed.
Result<std::filesystem::path> put_jobs_aside(const std::filesystem::path& folder);

// Moves jobs, recordings and uploads, whose place others take, into a folder, and returns that.
Result<std::filesystem::path> put_state_aside(const std::filesystem::path& folder);

}  // namespace server
