#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_store.h"

// The versions of a job's text in the database: see JobStore for these functions. They throw
// SQLite::Exception; those that change something do it in a transaction of their own.
namespace server {

// The table `drafts` has the jobs of which a draft is half written, so that it can be removed.
void prepare_drafts_table(SQLite::Database& db);

EditBegin begin_edit(SQLite::Database& db, const TextTarget& target);
DraftWritten write_draft(SQLite::Database& db, TextDraft& draft, double now);
// Returns whether there is more to be removed.
bool drop_draft(SQLite::Database& db, std::int64_t job);
// Removes what a crash has left of drafts.
void drop_drafts(SQLite::Database& db);

std::vector<TextVersion> read_versions(SQLite::Database& db, const std::string& id, int from,
                                       int limit);

}  // namespace server
