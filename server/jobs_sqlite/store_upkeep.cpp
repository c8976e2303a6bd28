#include "server/jobs_sqlite/store_upkeep.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "server/jobs/job_end.h"
#include "server/jobs/job_json.h"
#include "server/jobs_sqlite/expiry.h"
#include "server/jobs_sqlite/job_rows.h"
#include "server/jobs_sqlite/owner_use.h"
#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/turns.h"

namespace server {
namespace {

constexpr int queued = static_cast<int>(JobState::queued);
constexpr int running = static_cast<int>(JobState::running);
constexpr int most_at_once = 200;  // jobs that are removed in one call

template <class... Values>
int change(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  SQLite::bind(statement, values...);
  return statement.exec();
}

// Ends jobs for which `condition` holds; its parameters begin at ?5.
template <class... Values>
int end_jobs(SQLite::Database& db, JobState state, const Error& error, double now, double keep_s,
             const std::string& condition, const Values&... values) {
  return change(db,
                fmt::format("UPDATE main.jobs SET state = ?1, epoch = epoch + 1, finished = ?2, "
                            "expires = {}, error = ?4 WHERE {}",
                            expiry, condition),
                static_cast<int>(state), now, keep_s, encode(error), values...);
}

// A job whose expiry lies further away than a new job's ended by a wrong clock, or under another
// setting.
void correct_expiry(SQLite::Database& db, const char* database, double now, double keep_s) {
  static constexpr char correct[] =
      "UPDATE {0}.jobs SET expires = {2} WHERE number IN "
      "(SELECT number FROM {0}.jobs WHERE expires > 0 AND (keep_s > 0) = {1} AND "
      "expires - keep_s > ?2 + iif({1}, 0, ?1) LIMIT ?4)";
  const double usual_s = database == in_memory ? waited_keep_s : keep_s;
  for (const int has_own : {0, 1}) {
    change(db, fmt::format(correct, database, has_own, expiry), usual_s, now, keep_s, most_at_once);
  }
}

// Jobs of a time in which none expired get their time to live from now on.
void give_expiry(SQLite::Database& db, double now, double keep_s) {
  if (keep_s <= 0) return;
  change(db,
         "UPDATE main.jobs SET expires = ?1 + ?2 WHERE number IN (SELECT number FROM main.jobs "
         "WHERE expires = 0 AND finished > 0 AND pinned = 0 AND kept = 0 AND keep_s = 0 LIMIT ?3)",
         now, keep_s, most_at_once);
}

int remove_some_expired(SQLite::Database& db, const char* database, double now) {
  return change(db,
                fmt::format("DELETE FROM {0}.jobs WHERE number IN (SELECT number FROM {0}.jobs "
                            "WHERE expires > 0 AND expires <= ? LIMIT ?)",
                            database),
                now, most_at_once);
}

// Returns how many of the owner's jobs have ended and are neither pinned nor worked with.
std::int64_t count_kept(SQLite::Database& db, const char* database, const std::string& owner) {
  SQLite::Statement query(
      db, fmt::format("SELECT (SELECT count(*) FROM {0}.jobs WHERE owner = ?1) - "
                      "(SELECT count(*) FROM {0}.jobs WHERE owner = ?1 AND pinned = 1) - "
                      "(SELECT count(*) FROM {0}.jobs WHERE owner = ?1 AND kept = 1 AND "
                      "pinned = 0) - "
                      "(SELECT count(*) FROM {0}.jobs WHERE state IN (?2, ?3) AND +owner = ?1 AND "
                      "pinned = 0 AND kept = 0)",
                      database));
  SQLite::bind(query, owner, queued, running);
  query.executeStep();
  return query.getColumn(0).getInt64();
}

// Removes some of the oldest ended jobs of owners who have more than `most_of_one`, besides those
// that are pinned or worked with.
int remove_excess(SQLite::Database& db, const char* database, std::int64_t most_of_one) {
  SQLite::Statement query(
      db, fmt::format("SELECT owner FROM {}.jobs GROUP BY owner HAVING count(*) > ?", database));
  SQLite::bind(query, most_of_one);
  std::vector<std::string> owners;
  while (query.executeStep()) owners.push_back(query.getColumn(0).getString());
  for (const auto& owner : owners) {
    const auto excess = count_kept(db, database, owner) - most_of_one;
    if (excess <= 0) continue;
    return change(db,
                  fmt::format("DELETE FROM {0}.jobs WHERE number IN (SELECT number FROM {0}.jobs "
                              "WHERE owner = ? AND finished > 0 AND pinned = 0 AND kept = 0 "
                              "ORDER BY number LIMIT ?)",
                              database),
                  owner, std::min<std::int64_t>(excess, most_at_once));
  }
  return 0;
}

// Returns the inputs that scribed owns, of the jobs of a table that have not ended.
std::vector<KeptInput> inputs_of(SQLite::Database& db, const char* table) {
  SQLite::Statement query(db, fmt::format("SELECT request FROM {} WHERE state IN (?, ?)", table));
  SQLite::bind(query, queued, running);
  std::vector<KeptInput> found;
  while (query.executeStep()) {
    const auto request = decode_request(query.getColumn(0).getString());
    if (request && request->input_is_ours) found.push_back({request->input, request->owner});
  }
  return found;
}

}  // namespace

int recover_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now) {
  SQLite::Transaction transaction(db);
  // Earlier versions of scribed wrote such jobs to the disk.
  end_jobs(db, JobState::cancelled, abandoned(), now, settings.keep_s,
           "state IN (?5, ?6) AND detached = 0", queued, running);
  change(db,
         fmt::format("UPDATE main.jobs SET state = ?1, epoch = epoch + 1, finished = ?2, "
                     "expires = {} WHERE state = ?4 AND json_extract(request, '$.live')",
                     expiry),
         static_cast<int>(JobState::done), now, settings.keep_s, running);
  const int failed =
      end_jobs(db, JobState::failed, worn_out(settings.max_begins), now, settings.keep_s,
               "state = ?5 AND attempts >= ?6 AND attempts_without_progress > 0", running,
               settings.max_begins);
  const int waiting =
      change(db,
             "UPDATE main.jobs SET state = ?, epoch = epoch + 1, "
             "attempts_without_progress = max(0, attempts_without_progress - 1) WHERE state = ?",
             queued, running);
  change(db, "UPDATE main.jobs SET not_before = 0 WHERE state = ? AND not_before > 0", queued);
  drop_options(db, on_disk);
  transaction.commit();
  return failed + waiting;
}

int remove_old_jobs(SQLite::Database& db, const JobStoreSettings& settings, double now) {
  int removed = 0;
  give_expiry(db, now, settings.keep_s);
  for (const char* database : {on_disk, in_memory}) {
    correct_expiry(db, database, now, settings.keep_s);
    const int expired = remove_some_expired(db, database, now);
    removed += expired > 0 ? expired : remove_excess(db, database, settings.max_kept_per_owner);
    forget_past_turns(db, database);
  }
  forget_past_days(db, now);
  return removed;
}

std::vector<KeptInput> kept_inputs(SQLite::Database& db) {
  return inputs_of(db, "all_jobs");
}

JobBackup::JobBackup(SqliteCalls& calls, const std::filesystem::path& file)
    : calls_(calls), copy_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
  // The file is read at once and lost with a crash: nothing has to be synced.
  copy_.exec("PRAGMA journal_mode = OFF");
  copy_.exec("PRAGMA synchronous = OFF");
  backup_.emplace(copy_, on_disk, calls_.db(), on_disk);
}

Result<std::optional<std::vector<std::filesystem::path>>> JobBackup::step() {
  using Files = std::vector<std::filesystem::path>;
  constexpr int pages_of_a_slice = 256;
  return calls_.attempt<std::optional<Files>>([&]() -> std::optional<Files> {
    const int result = backup_->executeStep(pages_of_a_slice);
    if (result == SQLITE_OK) return std::nullopt;
    if (result != SQLITE_DONE) {
      throw SQLite::Exception("the database is in use by another program");
    }
    Files files;
    for (const auto& input : inputs_of(calls_.db(), "main.jobs")) files.push_back(input.file);
    return files;
  });
}

std::vector<Job> undelivered_jobs(SQLite::Database& db) {
  SQLite::Statement query(
      db,
      "SELECT * FROM main.jobs WHERE finished > 0 AND delivered = 0 "
      "AND json_extract(request, '$.webhook') != '' "
      "ORDER BY row_number() OVER (PARTITION BY owner ORDER BY number), number LIMIT 1000");
  return read_all(query);
}

}  // namespace server
