#include "server/jobs/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

namespace server {
namespace {

// `number` gives the order; `id` is what others know. A key is unique for its owner alone.
constexpr char version_1[] = R"(
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  key TEXT,
  state INTEGER NOT NULL,
  request TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  fruitless INTEGER NOT NULL DEFAULT 0,
  created REAL NOT NULL,
  started REAL NOT NULL DEFAULT 0,
  finished REAL NOT NULL DEFAULT 0,
  expires REAL NOT NULL DEFAULT 0,
  position REAL NOT NULL DEFAULT 0,
  duration REAL NOT NULL DEFAULT 0,
  language TEXT NOT NULL DEFAULT '',
  segments INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  summary TEXT,
  detached INTEGER NOT NULL,
  told INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner, key)
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, number);
CREATE INDEX jobs_by_owner ON jobs (owner, started);
CREATE TABLE segments (
  job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  segment TEXT NOT NULL,
  PRIMARY KEY (job, number)
) STRICT, WITHOUT ROWID;
)";

constexpr int current_version = 1;

}  // namespace

void prepare_job_database(SQLite::Database& db) {
  db.setBusyTimeout(1000);
  // One process alone: the lock also tells a second scribed that it must not touch these jobs.
  db.exec("PRAGMA locking_mode = EXCLUSIVE");
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA foreign_keys = ON");
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version > current_version) {
    throw SQLite::Exception("the jobs are of a later version of scribed");
  }
  if (version == current_version) return;
  SQLite::Transaction transaction(db);
  db.exec(version_1);
  db.exec("PRAGMA user_version = " + std::to_string(current_version));
  transaction.commit();
}

}  // namespace server
