#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_store.h"
#include "server/jobs_postgres/session.h"

// The versions of a job's text in the database: see JobStore for these functions. Those with a step
// throw Failure.
namespace server::postgres {

EditBegin begin_edit(Session& session, const TextTarget& target);
// Writes a slice of a draft. One of several slices is written in a transaction on a connection of
// its own, which is open until the last: so nobody waits for it, and nothing of it remains where
// this process ends.
DraftWritten write_draft(Session& session, TextDraft& draft);
std::vector<TextVersion> read_versions(Step& step, const std::string& id, int from, int limit);

}  // namespace server::postgres
