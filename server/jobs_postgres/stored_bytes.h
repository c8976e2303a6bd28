#pragma once

#include <cstdint>
#include <string>

#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/session.h"

// How many bytes the store has of each owner: a trigger counts the rows of jobs (schema.cpp). These
// functions throw Failure.
namespace server::postgres {

// Sets `text_bytes` of a job $1 that is counted to a sum of its own and $2.
inline constexpr char grown_text_bytes[] =
    "CASE WHEN text_bytes < 0 THEN text_bytes ELSE text_bytes + $2 END";

// Counts the segments, versions and revisions of a job.
void count_text(Step& step, std::int64_t job);
// Counts the newest job of an earlier version that is not counted yet. Returns false if there is
// none.
bool count_next(Step& step);

std::int64_t stored_of_owner(Step& step, const std::string& owner);
StoredBytes stored_of_all(Step& step);
// Puts rows of one owner together.
void put_stored_together(Step& step);

}  // namespace server::postgres
