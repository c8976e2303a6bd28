#include "server/jobs_sqlite/schema_versions.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <cstdint>
#include <string>

#include "server/jobs/job_json.h"

namespace server {
namespace {

// `number` gives the order; `id` is the name that clients use. A key is unique for its owner alone.
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

// The options of a job lie beside its request, because they may be long and only its worker needs
// them: they are removed when it has ended. Turns replace times, because a clock can be set back.
constexpr char version_2[] = R"(
CREATE TABLE options (
  job INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
  options TEXT NOT NULL
) STRICT;
ALTER TABLE jobs ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
WITH begun AS (SELECT number, row_number() OVER (ORDER BY started) AS place
               FROM jobs WHERE started > 0)
UPDATE jobs SET turn = begun.place FROM begun WHERE jobs.number = begun.number;
DROP INDEX jobs_by_owner;
CREATE INDEX jobs_by_owner ON jobs (owner, turn);
)";

// A job may be kept for a time of its own after its end; 0: as long as the store keeps jobs.
constexpr char version_3[] = "ALTER TABLE jobs ADD COLUMN keep_s REAL NOT NULL DEFAULT 0";

// Columns have the names that the code has for what they hold: attempts in which nothing was
// decided, and whether a job's webhook has been delivered.
constexpr char version_4[] = R"(
ALTER TABLE jobs RENAME COLUMN fruitless TO attempts_without_progress;
ALTER TABLE jobs RENAME COLUMN told TO delivered;
)";

// The column has the names of a job's speakers as JSON: {"A": "Anna"}.
constexpr char version_5[] = "ALTER TABLE jobs ADD COLUMN speaker_names TEXT NOT NULL DEFAULT '{}'";

// People name and pin jobs, and edit their texts: `segments` keeps what the engine said, and
// `revisions` what became of a segment from a version on (no content: it was removed). `place` is
// its place among the segments; that of one of the engine is its number. `search` has the newest
// texts in folded letters: the row of a segment has its job's number in the upper bits and its own
// in the lower 20. Jobs of earlier versions are indexed bit by bit after the start. Rows of
// `revisions` are long, and take a fraction of the pages that they would without a rowid.
constexpr char version_6[] = R"(
ALTER TABLE jobs ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_to_index ON jobs (number) WHERE indexed = 0;
CREATE TABLE versions (
  job INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  created REAL NOT NULL,
  ops TEXT NOT NULL,
  PRIMARY KEY (job, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE revisions (
  job INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
  segment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  place REAL NOT NULL,
  content TEXT,
  PRIMARY KEY (job, segment, version)
) STRICT;
CREATE INDEX revisions_by_place ON revisions (job, place);
CREATE VIRTUAL TABLE search USING fts5 (text, tokenize = 'trigram case_sensitive 1');
CREATE TRIGGER jobs_leave_search AFTER DELETE ON jobs BEGIN
  DELETE FROM search WHERE rowid BETWEEN (old.number << 20) AND ((old.number << 20) | 1048575);
END;
)";

// Whoever has claimed a job writes by its epoch. The indexes are those by which a job is claimed.
constexpr char version_7[] = R"(
ALTER TABLE jobs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_waiting ON jobs (owner, number) WHERE state = 0;
CREATE INDEX jobs_running ON jobs (owner) WHERE state = 1;
)";

// Jobs get their turn when they come (turns.h), and `turn` becomes another kind of number. What
// waits at the upgrade gets turns in the order in which it came, for each owner from 0 on. In
// memory `is_bulk` is 0.
constexpr char version_8[] = R"(
DROP INDEX jobs_by_owner;
CREATE INDEX jobs_by_owner ON jobs (owner, number);
ALTER TABLE jobs DROP COLUMN turn;
ALTER TABLE jobs ADD COLUMN turn REAL NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN cost REAL NOT NULL DEFAULT 1;
ALTER TABLE jobs ADD COLUMN is_bulk INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN not_before REAL NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN model TEXT NOT NULL DEFAULT '';
WITH opened AS (SELECT number, row_number() OVER (PARTITION BY owner ORDER BY state DESC, number)
                - 1 AS turn FROM jobs WHERE state <= 1)
UPDATE jobs SET turn = opened.turn, model = coalesce(json_extract(request, '$.model'), '')
  FROM opened WHERE jobs.number = opened.number;
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (is_bulk, turn, number) WHERE state = 0;
CREATE INDEX jobs_waiting_of_owner ON jobs (is_bulk, owner, turn, number) WHERE state = 0;
CREATE INDEX jobs_waiting_for_model ON jobs (is_bulk, model, turn, number) WHERE state = 0;
CREATE TABLE lines (
  is_bulk INTEGER PRIMARY KEY,
  reached REAL NOT NULL
) STRICT;
CREATE TABLE owners (
  is_bulk INTEGER NOT NULL,
  owner TEXT NOT NULL,
  finish REAL NOT NULL,
  PRIMARY KEY (is_bulk, owner)
) STRICT, WITHOUT ROWID;
INSERT INTO owners SELECT 0, owner, count(*) FROM jobs WHERE state <= 1 GROUP BY owner;
)";

// The bytes of a job count for its owner: `stored_of_jobs` has the bytes of each job, and
// `stored_of_owners` their sums, which the triggers keep in the transactions of the changes. Jobs
// of earlier versions are counted one by one after the start. A row beside the text takes some
// bytes, too: 32.
//
// A job is removed with its row; what else there is of it is removed later, in pieces: see
// removed_jobs.h. `removed_text` has the bytes of texts that have left the index since its parts
// were last merged.
constexpr char version_9[] = R"(
CREATE TABLE stored_of_jobs (
  job INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE stored_of_owners (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs_to_count (job INTEGER PRIMARY KEY) STRICT;
INSERT INTO jobs_to_count SELECT number FROM jobs;
CREATE TABLE removed_jobs (
  job INTEGER PRIMARY KEY,
  id TEXT NOT NULL
) STRICT;
CREATE TABLE removed_text (bytes INTEGER NOT NULL) STRICT;
INSERT INTO removed_text VALUES (0);
CREATE TRIGGER stored_is_new AFTER INSERT ON stored_of_jobs BEGIN
  INSERT INTO stored_of_owners VALUES (new.owner, new.bytes)
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_changes AFTER UPDATE OF bytes ON stored_of_jobs BEGIN
  UPDATE stored_of_owners SET bytes = bytes + new.bytes - old.bytes WHERE owner = new.owner;
END;
CREATE TRIGGER stored_is_removed AFTER DELETE ON stored_of_jobs BEGIN
  UPDATE stored_of_owners SET bytes = bytes - old.bytes WHERE owner = old.owner;
  DELETE FROM stored_of_owners WHERE owner = old.owner AND bytes <= 0;
END;
CREATE TRIGGER jobs_count AFTER INSERT ON jobs BEGIN
  INSERT INTO stored_of_jobs VALUES (new.number, new.owner, length(CAST(new.request AS BLOB)) +
    length(CAST(new.title AS BLOB)) + length(CAST(new.speaker_names AS BLOB)) +
    coalesce(length(CAST(new.summary AS BLOB)), 0) + coalesce(length(CAST(new.error AS BLOB)), 0));
END;
CREATE TRIGGER jobs_count_changes AFTER UPDATE OF request, title, speaker_names, summary, error
  ON jobs BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + length(CAST(new.request AS BLOB)) +
    length(CAST(new.title AS BLOB)) + length(CAST(new.speaker_names AS BLOB)) +
    coalesce(length(CAST(new.summary AS BLOB)), 0) + coalesce(length(CAST(new.error AS BLOB)), 0) -
    length(CAST(old.request AS BLOB)) - length(CAST(old.title AS BLOB)) -
    length(CAST(old.speaker_names AS BLOB)) - coalesce(length(CAST(old.summary AS BLOB)), 0) -
    coalesce(length(CAST(old.error AS BLOB)), 0) WHERE job = new.number;
END;
DROP TRIGGER jobs_leave_search;
CREATE TRIGGER jobs_leave AFTER DELETE ON jobs BEGIN
  DELETE FROM stored_of_jobs WHERE job = old.number;
  DELETE FROM jobs_to_count WHERE job = old.number;
  INSERT INTO removed_jobs VALUES (old.number, old.id);
END;
CREATE TRIGGER options_count AFTER INSERT ON options BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + 32 + length(CAST(new.options AS BLOB))
    WHERE job = new.job;
END;
CREATE TRIGGER options_leave AFTER DELETE ON options BEGIN
  UPDATE stored_of_jobs SET bytes = bytes - 32 - length(CAST(old.options AS BLOB))
    WHERE job = old.job;
END;
CREATE TRIGGER segments_count AFTER INSERT ON segments BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + 32 + length(CAST(new.segment AS BLOB))
    WHERE job = (SELECT number FROM jobs WHERE id = new.job);
END;
CREATE TRIGGER segments_leave AFTER DELETE ON segments BEGIN
  UPDATE stored_of_jobs SET bytes = bytes - 32 - length(CAST(old.segment AS BLOB))
    WHERE job = (SELECT number FROM jobs WHERE id = old.job);
END;
CREATE TRIGGER versions_count AFTER INSERT ON versions BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + 32 + length(CAST(new.ops AS BLOB))
    WHERE job = new.job;
END;
CREATE TRIGGER revisions_count AFTER INSERT ON revisions BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + 32 + coalesce(length(CAST(new.content AS BLOB)), 0)
    WHERE job = new.job;
END;
CREATE TRIGGER revisions_count_changes AFTER UPDATE OF content ON revisions BEGIN
  UPDATE stored_of_jobs SET bytes = bytes + coalesce(length(CAST(new.content AS BLOB)), 0) -
    coalesce(length(CAST(old.content AS BLOB)), 0) WHERE job = new.job;
END;
CREATE TRIGGER revisions_leave AFTER DELETE ON revisions BEGIN
  UPDATE stored_of_jobs SET bytes = bytes - 32 - coalesce(length(CAST(old.content AS BLOB)), 0)
    WHERE job = old.job;
END;
)";

// A text is read from one segment to the next, whatever number of revisions each has.
constexpr char version_10[] = R"(
DROP INDEX revisions_by_place;
CREATE INDEX revisions_by_place ON revisions (job, place, segment);
)";

// An owner's pinned jobs are counted, and jobs that expire are found, without a look at all jobs.
// `expires - keep_s` is when a job ended, by the clock of then, plus the usual time where it has no
// time of its own.
constexpr char version_11[] = R"(
CREATE INDEX jobs_pinned ON jobs (owner, pinned) WHERE pinned = 1;
CREATE INDEX jobs_expiring ON jobs (expires) WHERE expires > 0;
CREATE INDEX jobs_by_end ON jobs (keep_s > 0, expires - keep_s) WHERE expires > 0;
)";

// `kept`: somebody has edited, named or shared the job, which does not expire then. Before, only a
// pinned one did not.
constexpr char version_12[] = R"(
ALTER TABLE jobs ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET kept = 1 WHERE version > 0 OR title <> '';
UPDATE jobs SET expires = 0 WHERE expires > 0 AND (keep_s = 0 OR kept = 1);
CREATE INDEX jobs_kept ON jobs (owner, kept, pinned) WHERE kept = 1 AND pinned = 0;
CREATE INDEX jobs_without_expiry ON jobs (number)
  WHERE expires = 0 AND finished > 0 AND pinned = 0 AND kept = 0 AND keep_s = 0;
)";

// The number of columns stays, and rows are read in the order of their key: so they may be changed
// while they are read.
void divide_requests(SQLite::Database& db) {
  SQLite::Statement row(db, "SELECT number, state, request FROM jobs");
  SQLite::Statement shorten(db, "UPDATE jobs SET request = ? WHERE number = ?");
  SQLite::Statement keep(db, "INSERT INTO options VALUES (?, ?)");
  while (row.executeStep()) {
    const auto request = decode_request(row.getColumn(2).getString());
    if (!request) continue;
    const std::int64_t number = row.getColumn(0).getInt64();
    const auto state = static_cast<JobState>(row.getColumn(1).getInt());
    shorten.reset();
    SQLite::bind(shorten, encode(*request), number);
    shorten.exec();
    if (has_ended(state)) continue;
    keep.reset();
    SQLite::bind(keep, number, encode(request->options));
    keep.exec();
  }
}

}  // namespace

void upgrade_job_tables(SQLite::Database& db, int from, int to) {
  SQLite::Transaction transaction(db);
  const auto is_due = [&](int version) { return from < version && version <= to; };
  if (is_due(1)) db.exec(version_1);
  if (is_due(2)) {
    db.exec(version_2);
    divide_requests(db);
  }
  if (is_due(3)) db.exec(version_3);
  if (is_due(4)) db.exec(version_4);
  if (is_due(5)) db.exec(version_5);
  if (is_due(6)) db.exec(version_6);
  if (is_due(7)) db.exec(version_7);
  if (is_due(8)) db.exec(version_8);
  if (is_due(9)) db.exec(version_9);
  if (is_due(10)) db.exec(version_10);
  if (is_due(11)) db.exec(version_11);
  if (is_due(12)) db.exec(version_12);
  db.exec("PRAGMA user_version = " + std::to_string(to));
  transaction.commit();
}

}  // namespace server
