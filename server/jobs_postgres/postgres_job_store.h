#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "server/jobs/job_end.h"
#include "server/jobs/job_store.h"

namespace server {

struct PostgresStoreSettings {
  std::string address{};  // postgres://user@host/name
  std::string schema = "scribed";
  // The name that this daemon has at each start. Only one at a time may have it.
  std::string node = "scribed";
  // This daemon begins no job itself: others begin those of its clients.
  bool only_accepts = false;
  double lease_s = 15;           // a daemon that says nothing for so long is dead
  bool keeps_lease = true;       // renews it and sweeps up after dead nodes, on a thread of its own
  bool has_news = true;          // daemons tell each other what they do
  int max_begins = most_begins;  // of a job that a daemon's end interrupts (job_end.h)
  // How long an ended job is kept that has no time of its own; 0: until somebody removes it.
  double keep_s = 0;
  // The most ended jobs of one owner; beyond it the oldest are removed early.
  std::int64_t max_kept_per_owner = 100'000;
  std::int64_t max_pinned_per_owner = 10'000;
};

// Opens the jobs that several daemons share, and enters this one among them. Tables are made in an
// empty database; those of an earlier version need migrate_job_database(). Errors:
// database_unavailable, newer_store, outdated_store, bad_config for an address that cannot be read.
Result<std::unique_ptr<JobStore>> open_postgres_job_store(const PostgresStoreSettings& settings);

// What a database has, for people.
struct JobDatabaseState {
  std::string server{};  // its version
  int version = 0;       // of the tables; 0: there are none
  int wanted = 0;        // by this scribed
  int nodes = 0;         // daemons that live
  std::int64_t waiting = 0;
  std::int64_t running = 0;
  bool is_usable = false;  // by this scribed
  double oldest_transaction_s = 0;
};

// Looks at a database without changing it. Errors: as of open_postgres_job_store(), but for those
// of other versions.
Result<JobDatabaseState> check_job_database(const PostgresStoreSettings& settings);
// Makes the tables, or brings them up to date. Errors: as of open_postgres_job_store().
Result<void> migrate_job_database(const PostgresStoreSettings& settings);

}  // namespace server
