#include "server/mcp/tools/job_wait.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "server/mcp/tools/schema.h"

namespace server {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds heartbeat{5};
// The step by which progress rises when the position has not moved. It is so small that all of an
// hour's heartbeats together claim no sound that is not decided.
constexpr double least_step = 1e-6;

}  // namespace

nlohmann::json wait_property(const char* description, const ToolSettings& settings) {
  return schema::number(description, 0, static_cast<double>(settings.wait.count()));
}

double read_wait(Arguments& arguments, const ToolSettings& settings, double otherwise) {
  return arguments.number("wait_s", 0, static_cast<double>(settings.wait.count()), otherwise);
}

milliseconds time_to_wait(const ToolCall& call, double wait_s) {
  return std::min(milliseconds(static_cast<int>(wait_s * 1000)), call.time_left());
}

JobWait wait_and_tell(CallContext& context, milliseconds time) {
  JobWait wait{.deadline = std::chrono::steady_clock::now() + time, .look_every = heartbeat};
  wait.looked = [&context, last = -least_step](const Job& now) mutable {
    const TranscriptionProgress& progress = now.progress;
    const auto total = progress.duration > 0 ? std::optional(progress.duration) : std::nullopt;
    const double next = std::max(last + least_step, progress.position);
    if (total && next > *total) return;  // all sound is decided, and no number may rise any more
    last = next;
    context.progress({last, total, progress_text(progress)});
  };
  return wait;
}

asio::awaitable<Result<Job>> run_job(ToolCall call, SubmissionRequest request, milliseconds time) {
  const bool waits = time.count() > 0;
  request.owner = call.context.principal();
  request.trace = call.context.trace();
  request.follow = waits ? Follow::for_a_while : Follow::nobody;
  request.is_let_go = [&context = call.context] { return context.is_let_go(); };
  auto submitting = call.submission.submit(std::move(request));
  auto followed = co_await std::move(submitting);
  if (!followed) co_return followed.error();
  if (!waits) co_return followed->job();
  auto waiting = followed->ended(wait_and_tell(call.context, time));
  auto job = co_await std::move(waiting);
  if (!job) co_return job.error();
  const auto kept = co_await followed->keep();
  if (!kept) co_return kept.error();
  co_return job;
}

}  // namespace server
