#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_filter.h"
#include "server/jobs/text_edit.h"
#include "server/jobs_postgres/session.h"

// Jobs that pass a filter, and where a text stands in them. Texts are looked for in folded letters,
// in the jobs that the index of letters names, or row by row. These functions throw Failure.
namespace server::postgres {

// See JobStore::slice().
Result<JobSlice> slice_of_jobs(Step& step, const std::optional<std::string>& owner,
                               const JobFilter& filter, const JobPlace& behind, int size);

// See JobStore::matches().
std::optional<std::vector<TextMatch>> matches_in(Step& step, const std::string& id,
                                                 const std::string& text, int most);

}  // namespace server::postgres
