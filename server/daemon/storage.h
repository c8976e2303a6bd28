#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/config/config.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/spool.h"
#include "server/inputs/uploads.h"
#include "server/jobs/job_store.h"
#include "server/log/log.h"

namespace server {

// The state that scribed keeps on the disk between two runs.
struct Storage {
  Spool spool;
  Uploads uploads;
  SoundStore sounds;
  std::optional<Spool> shared_uploads;  // the folder with those of all daemons, where there is one
  std::unique_ptr<JobStore> jobs;
  int recovered = 0;          // jobs that ran when the last process ended
  platform::UniqueFd lock{};  // of the folder, where the jobs are elsewhere
};

// Opens what is in the state folder, or the database that the configuration names, takes the
// folder's lock, puts back what ran when the last process ended, and removes files that belong to
// no job. A damaged database is put aside with its
// recordings, and is an error once. `log` outlives it. Errors: those of the folders, store_busy,
// damaged_store.
Result<Storage> open_storage(const std::filesystem::path& folder, const Config& config, Log& log);

}  // namespace server
