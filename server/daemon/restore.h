#pragma once

#include <filesystem>

#include "server/base/error.h"

namespace server {

// What a restore has done.
struct Restored {
  int open_jobs = 0;              // jobs that go on at the next start
  std::filesystem::path aside{};  // the folder with what was there before; empty: nothing was
};

// Puts a backup into the state folder, which no scribed may use: all of it or nothing. Jobs and
// uploads that are there already are moved into a folder beside them if `replaces`, and are an
// error if not. Where root restores, all of it belongs to the owner of the folder. Errors:
// input_not_found, damaged_backup, newer_store, store_busy, output_not_writable (jobs or uploads
// are there), and those of the folder.
Result<Restored> restore_backup(const std::filesystem::path& backup,
                                const std::filesystem::path& folder, bool replaces);

// Writes a backup of a state folder that no scribed uses to a descriptor. Errors: store_busy,
// input_not_found (there are no jobs), and those of the folder and of the file.
Result<void> back_up_folder(const std::filesystem::path& folder, int to);

}  // namespace server
