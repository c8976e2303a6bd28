#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_fields.h"
#include "protocol/json_text.h"
#include "server/api/accepted_job.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/api/list_query.h"
#include "server/api/received_form.h"
#include "server/api/text_json.h"
#include "server/api/waited_job.h"
#include "server/base/race.h"
#include "server/http/sse.h"
#include "server/jobs/job_search.h"
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

// Returns whose jobs are asked for: ?owner=NAME, or * for everybody's; nothing: everybody's. A
// search by text is for their owner alone.
Result<std::optional<std::string>> listed_owner(const ApiCall& call, const JobFilter& filter) {
  auto wanted = call.exchange.query("owner");
  if (!wanted || *wanted == call.principal.name) {
    return std::optional<std::string>(call.principal.name);
  }
  if (!call.principal.may(Right::manage)) {
    return Error{errc::forbidden, "This key may not see the jobs of others.",
                 "Use a key that may manage the server, or leave out owner."};
  }
  if (!filter.texts.empty()) {
    return Error{errc::forbidden, "What was said in the jobs of others cannot be searched.",
                 "Leave out q, or owner."};
  }
  if (*wanted == "*") wanted.reset();
  return wanted;
}

using Jobs = Result<std::vector<Job>>;

// A page of a list ends behind so many bytes: each job may have many, and all wait while it is
// written.
constexpr std::size_t most_list_bytes = 256 << 10;
constexpr int most_matches = 3;  // of one job that a text was found in

// A search holds up the store's thread again and again, so it has so much time.
constexpr std::chrono::seconds search_time{30};

// A search may take long, so it ends when its client leaves; nobody hears that error.
asio::awaitable<Jobs> matching_jobs(Api& api, ApiCall& call, std::optional<std::string> owner,
                                    JobFilter filter, int most) {
  const std::string after = call.exchange.query("after").value_or("");
  if (filter == JobFilter{}) {
    auto jobs = co_await api.services.jobs.list(owner, most, after);
    co_return jobs;
  }
  auto searching =
      within(search_time, search_jobs(api.services.jobs, owner, std::move(filter), most, after));
  auto leaving = client_left(call.exchange);
  auto winner = co_await race(std::move(searching), std::move(leaving));
  if (winner.index() == 1) co_return Error{errc::client_gone, "The client has left.", ""};
  auto found = std::get<0>(std::move(winner));
  if (found) co_return *std::move(found);
  co_return Error{errc::timed_out, "The search took longer than half a minute.",
                  "Ask for less: a status, a model, or the jobs behind another one (after)."};
}

// A key that manages sees others' jobs, but not who speaks in them, nor what they are called.
Json body_for(const ApiCall& call, const Job& job) {
  Json body = job_body(job);
  if (job.request.owner == call.principal.name) return body;
  body["speaker_names"] = Json::object();
  body["title"] = body["filename"];
  return body;
}

// Says of each of these jobs where the text stands in it.
asio::awaitable<Result<void>> add_matches(Api& api, Json& jobs, std::string text) {
  std::vector<std::string> ids;
  for (const auto& job : jobs) ids.push_back(job["id"]);
  auto finding = api.services.jobs.matches(std::move(ids), std::move(text), most_matches);
  const auto found = co_await std::move(finding);
  if (!found) co_return found.error();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Json matches = Json::array();
    for (const auto& match : (*found)[i]) matches.push_back(text_match_body(match));
    jobs[i]["matches"] = std::move(matches);
  }
  co_return Result<void>{};
}

// Returns the changes of a job since the last time, as server-sent events.
std::string events_of(const FollowedJob::News& news) {
  std::string events;
  for (const auto& segment : news.segments) {
    Json event{{"type", "job.segment"}, {"segment", segment_body(segment)}};
    events += sse_data(dump(event));
  }
  const Json event{{"type", has_ended(news.job.state) ? "job.ended" : "job.progress"},
                   {"job", job_body(news.job)}};
  return events + sse_data(dump(event));
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
    const std::string events = is_new ? events_of(*news) : sse_comment();
    const bool sent = co_await call.exchange.write(events);
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

asio::awaitable<void> list_jobs(Api& api, ApiCall& call) {
  const std::string text = call.exchange.query("q").value_or("");
  const auto limit = page_size(call.exchange);
  if (!limit) co_return co_await send_form_error(call.exchange, limit.error());
  auto filter = job_filter(call.exchange, api.services);
  if (!filter) co_return co_await send_form_error(call.exchange, filter.error());
  auto owner = listed_owner(call, *filter);
  if (!owner) co_return co_await send_error(call.exchange, owner.error(), "owner");
  auto matching = matching_jobs(api, call, *std::move(owner), *std::move(filter), *limit + 1);
  const auto jobs = co_await std::move(matching);
  if (!jobs) {
    const std::string_view parameter = jobs.error().code == errc::usage ? "after" : "";
    co_return co_await send_error(call.exchange, jobs.error(), parameter);
  }
  Json data = Json::array();
  std::size_t bytes = 0;
  for (const auto& job : *jobs) {
    if (static_cast<int>(data.size()) == *limit || bytes > most_list_bytes) break;
    data.push_back(body_for(call, job));
    bytes += dump(data.back()).size();
  }
  if (!text.empty()) {
    const auto added = co_await add_matches(api, data, text);
    if (!added) co_return co_await send_error(call.exchange, added.error());
  }
  const bool has_more = data.size() < jobs->size();
  const Json body{{"object", "list"}, {"data", std::move(data)}, {"has_more", has_more}};
  std::string answer = dump(body);
  co_await send_json(call.exchange, std::move(answer));
}

asio::awaitable<void> get_job(Api& api, ApiCall& call) {
  const auto job = co_await find_anybodys(api, call);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  std::string text = dump(body_for(call, *job));
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
