#include "server/jobs_sqlite/owner_use.h"

#include <SQLiteCpp/VariadicBind.h>

#include <cmath>
#include <cstdint>

#include "server/jobs/job.h"
#include "server/jobs_sqlite/stored_bytes.h"

namespace server {
namespace {

constexpr double day_s = 86'400;

std::int64_t day_of(double now) {
  return static_cast<std::int64_t>(std::floor(now / day_s));
}

}  // namespace

void prepare_sound_table(SQLite::Database& db) {
  db.exec(
      "CREATE TABLE IF NOT EXISTS main.sound (owner TEXT NOT NULL, day INTEGER NOT NULL, "
      "seconds REAL NOT NULL, PRIMARY KEY (owner, day)) STRICT, WITHOUT ROWID");
}

OwnerUse owner_use(SQLite::Database& db, const std::string& owner, double now) {
  OwnerUse use;
  SQLite::Statement jobs(db,
                         "SELECT count(*), coalesce(sum(duration), 0.0), "
                         "coalesce(min(CASE WHEN state = ?2 AND duration = 0 THEN number END), 0) "
                         "FROM all_jobs "
                         "WHERE state IN (?1, ?2) AND +owner = ?3 "
                         "AND NOT coalesce(json_extract(request, '$.live'), 0)");
  SQLite::bind(jobs, static_cast<int>(JobState::queued), static_cast<int>(JobState::running),
               owner);
  if (jobs.executeStep()) {
    use.open_jobs = jobs.getColumn(0).getInt();
    use.held_seconds = jobs.getColumn(1).getDouble();
    use.first_unmeasured = jobs.getColumn(2).getInt64();
  }
  SQLite::Statement sound(db, "SELECT seconds FROM main.sound WHERE owner = ? AND day = ?");
  SQLite::bind(sound, owner, day_of(now));
  if (sound.executeStep()) use.sound_seconds = sound.getColumn(0).getDouble();
  use.stored_bytes = stored_of_owner(db, owner);
  return use;
}

int count_waiting_jobs(SQLite::Database& db) {
  return db
      .execAndGet(
          "SELECT (SELECT count(*) FROM main.jobs WHERE state = 0) + "
          "(SELECT count(*) FROM memory.jobs WHERE state = 0)")
      .getInt();
}

QueueUse queue_use(SQLite::Database& db, const std::string& owner, const JobLimits& limits,
                   double now) {
  QueueUse use{.waiting = count_waiting_jobs(db)};
  SQLite::Statement own(db,
                        "SELECT (SELECT count(*) FROM main.jobs WHERE state = 0 AND owner = ?1) + "
                        "(SELECT count(*) FROM memory.jobs WHERE state = 0 AND owner = ?1)");
  SQLite::bind(own, owner);
  own.executeStep();
  use.waiting_of_owner = own.getColumn(0).getInt();
  if (limits_use_of(limits, owner)) use.owner = owner_use(db, owner, now);
  return use;
}

void count_sound(SQLite::Database& db, const std::string& owner, double seconds, double now) {
  SQLite::Statement add(db,
                        "INSERT INTO main.sound VALUES (?, ?, ?) "
                        "ON CONFLICT (owner, day) DO UPDATE SET seconds = seconds + "
                        "excluded.seconds");
  SQLite::bind(add, owner, day_of(now), seconds);
  add.exec();
}

void forget_past_days(SQLite::Database& db, double now) {
  SQLite::Statement forget(db, "DELETE FROM main.sound WHERE day < ?");
  SQLite::bind(forget, day_of(now));
  forget.exec();
}

}  // namespace server
