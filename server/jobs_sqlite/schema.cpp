#include "server/jobs_sqlite/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "server/jobs_sqlite/owner_use.h"
#include "server/jobs_sqlite/schema_versions.h"
#include "server/jobs_sqlite/text_versions.h"

namespace server {
namespace {

// Creates the tables and indexes of the file in the memory database too: tables first. What is in
// memory is not indexed for searches.
void add_memory(SQLite::Database& db) {
  db.exec("PRAGMA temp_store = MEMORY");
  db.exec("ATTACH ':memory:' AS memory");
  std::vector<std::string> statements;
  SQLite::Statement made(db,
                         "SELECT type, substr(sql, length('CREATE ' || type || ' ') + 1) "
                         "FROM main.sqlite_master "
                         "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
                         "AND name NOT LIKE 'search%' AND type != 'trigger' "
                         "ORDER BY type DESC");
  while (made.executeStep()) {
    statements.push_back("CREATE " + made.getColumn(0).getString() + " memory." +
                         made.getColumn(1).getString());
  }
  for (const auto& statement : statements) db.exec(statement);
  db.exec(
      "CREATE TRIGGER memory.jobs_leave AFTER DELETE ON jobs BEGIN "
      "DELETE FROM options WHERE job = old.number; DELETE FROM segments WHERE job = old.id; END");
  db.exec(
      "CREATE TEMP VIEW all_jobs AS "
      "SELECT * FROM main.jobs UNION ALL SELECT * FROM memory.jobs");
}

}  // namespace

Result<void> prepare_job_database(SQLite::Database& db) {
  db.setBusyTimeout(1000);
  // Only one process may use the file: the lock also tells a second scribed that it must not touch
  // these jobs.
  db.exec("PRAGMA locking_mode = EXCLUSIVE");
  // Of a new file: pages that are free can be given back to the disk. It comes before the first
  // table, and does nothing to a file that has some.
  db.exec("PRAGMA auto_vacuum = INCREMENTAL");
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  // After a large edit the log does not keep its length.
  db.exec("PRAGMA journal_size_limit = 8388608");
  // The rows of a removed job go in pieces, and not at once by ON DELETE CASCADE.
  db.exec("PRAGMA foreign_keys = OFF");
  // A row that is replaced leaves by the trigger of its removal.
  db.exec("PRAGMA recursive_triggers = ON");
  db.exec("PRAGMA trusted_schema = OFF");
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version > current_version) return newer_store();
  if (version < current_version) upgrade_job_tables(db, version, current_version);
  add_memory(db);
  make_unversioned_tables(db);
  return {};
}

void make_unversioned_tables(SQLite::Database& db) {
  prepare_sound_table(db);
  prepare_drafts_table(db);
}

Error newer_store() {
  return {"newer_store", "the jobs are of a later version of scribed",
          "Use that version, or give this one a state folder of its own."};
}

}  // namespace server
