#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/jobs/text_edit.h"

// The versions of a job's text in the database: see JobStore for these functions. They throw
// SQLite::Exception; those that change something do it in a transaction of their own.
namespace server {

EditResult edit_text(SQLite::Database& db, const TextTarget& target,
                     std::span<const TextEdit> edits, double now);
EditResult restore_text(SQLite::Database& db, const TextTarget& target, int version, double now);
Result<TextPage> read_page(SQLite::Database& db, const char* database, const std::string& id,
                           std::optional<int> version, std::optional<std::int64_t> behind,
                           int limit);
std::vector<TextVersion> read_versions(SQLite::Database& db, const std::string& id, int from,
                                       int limit);

}  // namespace server
