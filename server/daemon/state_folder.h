#pragma once

#include <filesystem>

#include "server/base/error.h"

// The folder of jobs, recordings and uploads.
namespace server {

// Makes it, for this user alone, where it does not exist. Errors: io_error; bad_config where it
// looks like somebody's own folder: without jobs, but with files where recordings would lie.
Result<void> prepare_state_folder(const std::filesystem::path& folder);

// The folder that it now is in: the database of jobs, which is damaged, and the recordings of its
// jobs. Nothing of it is lost, and the next start begins anew. The database must be closed.
Result<std::filesystem::path> put_jobs_aside(const std::filesystem::path& folder);

}  // namespace server
