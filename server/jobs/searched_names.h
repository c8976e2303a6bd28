#pragma once

#include <span>
#include <string>
#include <vector>

#include "server/jobs/job.h"

namespace server {

// Returns the names by which a search finds a job: those that people or the recording's options
// gave to speakers. The label of a speaker without a name, A to ZZ, is none.
//   speakers  the labels that the job's segments have
std::vector<std::string> searched_names(const Job& job, std::span<const std::string> speakers);

}  // namespace server
