#pragma once

#include <nlohmann/json.hpp>

#include "server/http/exchange.h"
#include "server/jobs/job.h"
#include "server/transcription/model_pool.h"

// These functions write jobs and models as clients read them. Times are seconds since 1970.
namespace server::api {

nlohmann::ordered_json job_body(const Job& job);
// Returns the job for that owner, or for somebody who manages the server: a key that manages sees
// others' jobs, but not who speaks in them, nor what they are called.
nlohmann::ordered_json job_body_for(const std::string& reader, const Job& job);
// Returns the answer to a request that is a job now.
Response accepted_answer(const Exchange& exchange, const Job& job);
nlohmann::ordered_json segment_body(const protocol::Segment& segment);
nlohmann::ordered_json loaded_model_body(const LoadedModel& model);

}  // namespace server::api
