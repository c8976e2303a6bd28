#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "server/jobs/job_limits.h"
#include "server/jobs/job_store.h"

namespace server {

void remove_file(const std::string& file);

// How often jobs are looked at that other processes may have changed, and how often for jobs of
// clients who wait at a daemon that begins none.
inline constexpr std::chrono::milliseconds look_interval{1000};
inline constexpr std::chrono::milliseconds look_for_clients_interval{250};

// See JobQueue.
struct JobQueueSettings {
  JobLimits limits{};
  RunningShares shares{};
  // Removes the file of a job that has ended or was refused. It is called on the store's thread.
  std::function<void(const std::string&)> remove_input = remove_file;
  // Tells what is kept of a job's sound, on the executor's thread, and removes that of a job that
  // is gone, on the store's thread.
  std::function<std::optional<KeptSound>(const std::string& id)> find_sound =
      [](const std::string&) { return std::nullopt; };
  std::function<void(const std::string& id)> remove_sound = [](const std::string&) {};
  // Checks, on the executor's thread, whether an owner may store so many more bytes of jobs, and
  // returns how many may be stored.
  std::function<Result<std::uint64_t>(const std::string& owner, std::uint64_t more)> check_stored =
      [](const std::string&, std::uint64_t) { return std::numeric_limits<std::uint64_t>::max(); };
  // Receives what each owner has stored, on the store's thread.
  std::function<void(StoredBytes)> note_stored = [](const StoredBytes&) {};
  // A shared store that has not answered a call for so long does not answer.
  std::chrono::milliseconds longest_call{10'000};
  // How often an idle runner looks for jobs where other daemons tell of theirs, and how often
  // those that run here are compared with a shared store.
  std::chrono::milliseconds look_beside_news_every{2'000};
  std::chrono::milliseconds check_runs_every{5'000};
};

}  // namespace server
