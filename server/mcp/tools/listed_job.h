#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/job.h"

namespace server {

// Returns a job in a line: its id, state and title, how far it is, and why it failed.
std::string text_of(const Job& job);

nlohmann::json json_of(const Job& job);
nlohmann::json listed_job_schema();

}  // namespace server
