#pragma once

#include <filesystem>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

// What a restore has done.
struct Restored {
  int open_jobs = 0;              // jobs that go on at the next start
  std::filesystem::path aside{};  // the folder with what was there before; empty: nothing was
};

// Opens a backup. Errors: input_not_found, input_unreadable.
Result<platform::UniqueFd> open_backup(const std::filesystem::path& file);

// Puts a backup into the state folder, which no scribed may use: all of it or nothing. Jobs and
// uploads that are there already are moved into a folder beside them if `replaces`, and are an
// error if not. It works by path, so the process must have the rights of the folder's owner and no
// more. Errors: damaged_backup, newer_store, store_busy, output_not_writable (jobs or uploads are
// there), and those of the folder.
Result<Restored> restore_backup(platform::UniqueFd backup, const std::filesystem::path& folder,
                                bool replaces);

// Writes a backup of a state folder that no scribed uses to a descriptor. The rights are as above.
// Errors: store_busy,
// input_not_found (there are no jobs), and those of the folder and of the file.
Result<void> back_up_folder(const std::filesystem::path& folder, int to);

}  // namespace server
