#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "protocol/transcript.h"
#include "server/base/error.h"
#include "server/transcription/progress.h"

// What the server's answers about jobs and models say, for people. Each object is as docs/api.md
// describes it.
namespace server {

TranscriptionProgress progress_of(const nlohmann::json& job);

// The segment of an event of a job; what the event does not tell is empty.
protocol::Segment segment_of(const nlohmann::json& segment);

// Returns why the job has no text; its code is empty where it has one.
Error problem_of(const nlohmann::json& job);

bool job_has_ended(const nlohmann::json& job);

// "until 2026-11-24 07:20:05", or what it is kept until otherwise.
std::string kept_until(const nlohmann::json& job);

// A table with a line for each job, and a line that counts them.
std::string jobs_table(const nlohmann::json& jobs, bool has_more, int width);

// What is known of one job, a row each.
std::string job_text(const nlohmann::json& job);

// A table with a line for each loaded model; a sentence where there is none.
std::string models_table(const nlohmann::json& models, int width);

// What GET /v1/status answers, a row each.
std::string status_text(const nlohmann::json& status, const std::string& server);

}  // namespace server
