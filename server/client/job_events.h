#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "server/client/api_client.h"

namespace server {

// Hears what becomes of a job, in order. An error of on_segment ends the following.
struct JobFollower {
  std::function<Result<void>(const nlohmann::json& segment)> on_segment{};
  std::function<void(const nlohmann::json& job)> on_job{};  // as GET /v1/jobs/ID tells it
  std::function<bool()> is_stopped{};
};

// Returns "/v1/jobs/ID". Errors: usage, where `id` cannot be one.
Result<std::string> path_of_job(const std::string& id);

// Follows a job from its first segment to its end, and returns it as it is then. Errors: those of
// ApiClient::call and of on_segment; no_server where the stream ends before the job.
Result<nlohmann::json> follow_job(const ApiClient& client, const std::string& id,
                                  const JobFollower& listener);

}  // namespace server
