#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job.h"
#include "server/jobs_postgres/session.h"

// These functions look for jobs. No owner stands for all of them. They throw Failure.
namespace server::postgres {

std::optional<Job> find_job(Step& step, const std::string& id,
                            const std::optional<std::string>& owner);
std::optional<Job> find_by_key(Step& step, const std::string& owner, const std::string& key);

// Returns the place of a job in the order of all; nothing if there is no such job of that owner.
std::optional<std::int64_t> number_of_job(Step& step, const std::string& id,
                                          const std::optional<std::string>& owner);
// See JobStore::list().
Result<std::vector<Job>> list_jobs(Step& step, const std::optional<std::string>& owner, int limit,
                                   const std::string& before);

}  // namespace server::postgres
