#pragma once

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "server/jobs_sqlite/sqlite_calls.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

// These functions maintain the whole store: after a start, from time to time, and for webhooks.
// `now` is in seconds since 1970. They throw SQLite::Exception.
namespace server {

// See JobStore::recover(). The memory database is empty after a start.
int recover_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::remove_expired().
int remove_old_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now);

// See JobStore::inputs().
std::vector<KeptInput> kept_inputs(SQLite::Database& db);

// See JobStore::back_up(). What the connection writes meanwhile is written into the copy, too.
class JobBackup final : public StoreBackup {
 public:
  // Throws SQLite::Exception.
  JobBackup(SqliteCalls& calls, const std::filesystem::path& file);

  Result<std::optional<std::vector<std::filesystem::path>>> step() override;

 private:
  SqliteCalls& calls_;
  SQLite::Database copy_;
  std::optional<SQLite::Backup> backup_{};
};

// Returns ended jobs whose webhook is still to be delivered, of each owner the oldest, in turn; at
// most 1000.
std::vector<Job> undelivered_jobs(SQLite::Database& db);

}  // namespace server
