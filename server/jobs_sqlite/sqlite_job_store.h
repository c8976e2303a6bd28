#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "server/jobs/job_end.h"
#include "server/jobs/job_store.h"

namespace server {

struct JobStoreSettings {
  std::filesystem::path file{};  // made with mode 0600; its folder must exist
  int max_begins = most_begins;  // of a job that scribed's own end interrupts (job_end.h)
  // How long an ended job is kept that has no time of its own; 0: until somebody removes it.
  double keep_s = 0;
  // The most ended jobs of one owner; beyond it the oldest are removed early, to bound the disk
  // space.
  std::int64_t max_kept_per_owner = 100'000;
  std::int64_t max_pinned_per_owner = 10'000;
  // Statements of one call are ended after so long, since all calls wait for each other. Zero:
  // never.
  std::chrono::milliseconds longest_call{2'000};
  double (*now)() = nullptr;  // seconds since 1970; nullptr: the system's clock
};

// Opens SQLite with a write-ahead log and a sync for every commit. Errors: damaged_store,
// newer_store, store_busy (another scribed has it), out_of_disk, io_error.
Result<std::unique_ptr<JobStore>> open_job_store(const JobStoreSettings& settings);

}  // namespace server
