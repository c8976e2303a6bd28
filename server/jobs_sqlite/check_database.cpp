#include "server/jobs_sqlite/check_database.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/jobs_sqlite/schema.h"
#include "server/jobs_sqlite/schema_versions.h"

namespace server {
namespace {

// A table, index, trigger or view with the statement that made it.
struct Part {
  std::string type{}, name{}, sql{};
  auto operator<=>(const Part&) const = default;
};

// Tables that FTS5 makes for its index: their statements are those of its version.
bool is_of_index(const Part& part) {
  return part.type == "table" && part.name.starts_with("search_");
}

// Returns the parts of the database but for indexes that SQLite makes by itself.
std::set<Part> parts_of(SQLite::Database& db) {
  std::set<Part> parts;
  SQLite::Statement row(db,
                        "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL "
                        "AND NOT (type = 'table' AND name GLOB 'sqlite_stat[0-9]')");
  while (row.executeStep()) {
    Part part{row.getColumn(0).getString(), row.getColumn(1).getString(),
              row.getColumn(2).getString()};
    if (is_of_index(part)) part.sql.clear();
    parts.insert(std::move(part));
  }
  return parts;
}

// Returns what `some` has and `others` have not.
std::vector<Part> difference(const std::set<Part>& some, const std::set<Part>& others) {
  std::vector<Part> found;
  std::ranges::set_difference(some, others, std::back_inserter(found));
  return found;
}

// Triggers and views run with the statements of others, and so would foreign ones.
Result<void> check_parts(SQLite::Database& db, int version) {
  SQLite::Database own(":memory:", SQLite::OPEN_READWRITE);
  upgrade_job_tables(own, 0, version);
  const auto parts = parts_of(db);
  if (const auto missing = difference(parts_of(own), parts); !missing.empty()) {
    return damaged_backup("The jobs of the backup lack the " + missing.front().type + " " +
                          missing.front().name + " of scribed.");
  }
  make_unversioned_tables(own);  // which an earlier version has not made
  if (const auto foreign = difference(parts, parts_of(own)); !foreign.empty()) {
    return damaged_backup("The jobs of the backup have a " + foreign.front().type +
                          " that is not of scribed.");
  }
  return {};
}

// Ids become names of files and parts of paths.
bool has_foreign_ids(SQLite::Database& db) {
  return db.execAndGet(
               "SELECT EXISTS (SELECT 1 FROM jobs WHERE length(CAST(id AS BLOB)) != 26 "
               "OR id GLOB '*[^0-9a-z]*')")
             .getInt() != 0;
}

Result<void> check(SQLite::Database& db) {
  db.exec("PRAGMA trusted_schema = OFF");
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version > current_version) return newer_store();
  if (const auto checked = check_parts(db, version); !checked) return checked;
  if (db.execAndGet("PRAGMA integrity_check(1)").getString() != "ok") {
    return damaged_backup("The jobs of the backup are damaged.");
  }
  if (has_foreign_ids(db)) return damaged_backup("The backup has jobs without ids of scribed.");
  return {};
}

}  // namespace

Error damaged_backup(std::string message) {
  return {"damaged_backup", std::move(message), "Take another file: this one cannot be restored."};
}

Result<void> check_foreign_database(const std::filesystem::path& file) {
  try {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
    return check(db);
  } catch (const SQLite::Exception&) {
    return damaged_backup("The jobs of the backup are damaged.");
  }
}

}  // namespace server
