#include "server/mcp/tools/job_task.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "protocol/error_text.h"
#include "server/mcp/tools/job_answer.h"
#include "server/submission/submission.h"

namespace server {
namespace {

constexpr int poll_interval_ms = 2000;

std::string iso_time(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// A transcription that failed is a failure of the tool, which the extension counts as completed.
const char* status_of(JobState state) {
  if (!has_ended(state)) return "working";
  return state == JobState::cancelled ? "cancelled" : "completed";
}

mcp::Outcome no_task(const std::string& id) {
  return protocol::jsonrpc::Error{
      protocol::jsonrpc::invalid_params,
      "There is no task " + id + ". Call list_jobs, which names the jobs that there are.",
      {{"taskId", id}}};
}

mcp::Outcome broken(const std::string& id, const Error& error) {
  if (error.code == errc::job_not_found) return no_task(id);
  return protocol::jsonrpc::Error{
      protocol::jsonrpc::internal_error, protocol::error_text(error), {}};
}

}  // namespace

Json task_of(const Job& job) {
  Json task{{"taskId", job.id},
            {"status", status_of(job.state)},
            {"createdAt", iso_time(job.created)},
            {"lastUpdatedAt", iso_time(std::max({job.created, job.started, job.finished}))},
            {"ttlMs", nullptr},
            {"pollIntervalMs", poll_interval_ms}};
  // The clock may have been set back in between.
  if (job.expires > 0) {
    task["ttlMs"] = std::llround(std::max(0.0, job.expires - job.created) * 1000);
  }
  if (!has_ended(job.state)) task["statusMessage"] = progress_text(job.progress);
  return task;
}

ToolAnswer get_task(ToolCall call, std::string id) {
  const auto job = co_await call.submission.find(id, call.context.principal());
  if (!job) co_return broken(id, job.error());
  Json task = task_of(*job);
  if (task["status"] == "completed") {
    const bool with_words = job->request.options.word_timestamps;
    const Delivery delivery{.with_segments = with_words, .with_words = with_words};
    auto result = co_await deliver(call, *job, delivery);
    if (auto* body = std::get_if<Json>(&result)) task["result"] = std::move(*body);
  }
  co_return mcp::Outcome(std::move(task));
}

ToolAnswer cancel_task(ToolCall call, std::string id) {
  const auto cancelled = co_await call.submission.cancel(id, call.context.principal());
  if (!cancelled) co_return broken(id, cancelled.error());
  co_return mcp::Outcome(Json::object());
}

}  // namespace server
