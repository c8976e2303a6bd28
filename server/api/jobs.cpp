#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/accepted_job.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/api/received_form.h"
#include "server/api/segment_events.h"
#include "server/api/waited_job.h"
#include "server/base/race.h"
#include "server/http/sse.h"
#include "server/submission/submission.h"

// These routes accept a recording as a job at once; clients read its text when the job is done.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;
using protocol::json::dump;
using std::chrono::steady_clock;

// Returns whose jobs the caller may end; nothing: everybody's.
std::optional<std::string> owner_within_reach(const ApiCall& call) {
  if (call.principal.may(Right::manage)) return std::nullopt;
  return call.principal.name;
}

// Finds the job that the path names, if it is the caller's.
asio::awaitable<Result<Job>> find_job(Api& api, const ApiCall& call) {
  return api.submission.find(call.id, call.principal.name);
}

// Finds it also if it is somebody else's and the caller manages the server. What was said stays
// between its owner and scribed.
asio::awaitable<Result<Job>> find_anybodys(Api& api, const ApiCall& call) {
  return api.submission.find(call.id, owner_within_reach(call));
}

std::string event_of_segment(const protocol::Segment& segment) {
  const Json event{{"type", "job.segment"}, {"segment", segment_body(segment)}};
  return sse_data(dump(event));
}

std::string event_of_progress(const Job& job) {
  const Json event{{"type", has_ended(job.state) ? "job.ended" : "job.progress"},
                   {"job", job_body(job)}};
  return sse_data(dump(event));
}

// Sends the changes of a job since the last time. Returns false if the client is gone.
asio::awaitable<bool> send_news(Exchange& exchange, const FollowedJob::News& news) {
  const WriteEvents write = [&exchange](std::string events) -> asio::awaitable<bool> {
    const bool sent = co_await exchange.write(events);
    co_return sent;
  };
  auto writing = write_segment_events(news.segments, event_of_segment, write);
  const bool sent = co_await std::move(writing);
  if (!sent) co_return false;
  const std::string progress = event_of_progress(news.job);
  const bool is_all_sent = co_await exchange.write(progress);
  co_return is_all_sent;
}

asio::awaitable<bool> send_sign_of_life(Exchange& exchange) {
  const std::string comment = sse_comment();
  const bool sent = co_await exchange.write(comment);
  co_return sent;
}

asio::awaitable<Elapsed> send_events(Api& api, ApiCall& call) {
  FollowedJob followed = api.submission.follow(call.id, call.principal.name);
  auto last = steady_clock::now() - keep_alive_interval;
  std::optional<std::pair<JobState, TranscriptionProgress>> last_sent;
  bool goes_on = true;
  while (goes_on) {
    const auto news = co_await followed.next(last + keep_alive_interval);
    if (!news) break;  // the job was removed
    const std::pair now(news->job.state, news->job.progress);
    const bool is_new = !news->segments.empty() || has_ended(news->job.state) || last_sent != now;
    last_sent = now;
    last = steady_clock::now();
    auto sending = is_new ? send_news(call.exchange, *news) : send_sign_of_life(call.exchange);
    const bool sent = co_await std::move(sending);
    goes_on = sent && !has_ended(news->job.state) && !api.services.jobs.is_draining();
  }
  co_return Elapsed{};
}

}  // namespace

asio::awaitable<void> submit_job(Api& api, ApiCall& call) {
  auto received = co_await receive_submission(api, call, FormKind::job);
  if (!received) {
    co_return co_await send_form_error(call.exchange, received.error());
  }
  co_await answer_with_job(api, call.exchange, std::move(received->request));
}

// Ends a job and keeps what it has said by then. One that has ended stays as it is.
asio::awaitable<void> cancel_job(Api& api, ApiCall& call) {
  const auto cancelled = co_await api.submission.cancel(call.id, owner_within_reach(call));
  if (!cancelled) co_return co_await send_error(call.exchange, cancelled.error());
  co_await get_job(api, call);
}

asio::awaitable<void> get_job(Api& api, ApiCall& call) {
  const auto job = co_await find_anybodys(api, call);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  std::string text = dump(job_body_for(call.principal.name, *job));
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> delete_job(Api& api, ApiCall& call) {
  const auto removed = co_await api.submission.remove(call.id, owner_within_reach(call));
  if (!removed) co_return co_await send_error(call.exchange, removed.error());
  const Json body{{"id", call.id}, {"object", "job"}, {"deleted", true}};
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> job_events(Api& api, ApiCall& call) {
  const auto job = co_await find_job(api, call);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  const Response head = sse_head();
  co_await call.exchange.start_stream(head);
  if (call.exchange.method() == http::verb::head) co_return;  // a HEAD has nothing to wait for
  auto sending = send_events(api, call);
  auto leaving = client_left(call.exchange);
  co_await race(std::move(sending), std::move(leaving));
}

}  // namespace server::api
