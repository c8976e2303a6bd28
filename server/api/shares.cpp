#include "server/sessions/shares.h"

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/caller.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/http/base_url.h"
#include "server/submission/submission.h"

// Links by which others read one job: made by its owner, and opened without a key.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_share_bytes = 4096;
constexpr char ends_parameter[] = "ends_in_s";

double share_time() {
  return static_cast<double>(std::time(nullptr));
}

FormError wrong_end() {
  return {{errc::usage, "The parameter ends_in_s must be a number from 60 to 7776000.",
           R"(As in {"ends_in_s": 604800}, which is a week.)"},
          ends_parameter};
}

// Reads how long a link shall be good; a week where nothing is said.
boost::system::result<double, FormError> ends_in(const std::string& body) {
  if (body.empty()) return Shares::usual_s;
  const auto json = protocol::json::parse_object(body);
  if (!json) return wrong_end();
  for (const auto& [key, value] : json->items()) {
    if (key == ends_parameter) continue;
    return FormError{
        {errc::unknown_parameter, "There is no parameter " + key + " here.", "Known is ends_in_s."},
        key};
  }
  const auto given = json->find(ends_parameter);
  if (given == json->end()) return Shares::usual_s;
  if (!given->is_number()) return wrong_end();
  const auto seconds = given->get<double>();
  if (!(seconds >= Shares::least_s && seconds <= Shares::most_s)) return wrong_end();
  return seconds;
}

Json share_body(const Share& share) {
  return {{"id", share.id}, {"created_at", share.created}, {"ends_at", share.ends}};
}

// The page reads the token from the part of the address that browsers send to nobody.
std::string share_url(const Exchange& exchange, const std::string& token) {
  return base_url(exchange).value_or(exchange.url().prefix) + "/#/s/" + token;
}

// Returns the call that the owner of the job could make, for a request with a link's token.
Result<ApiCall> call_of_owner(const Api& api, const ApiCall& call) {
  const auto share = api.shares.find(call.id, share_time());
  if (!share) return share.error();
  if (!api.keys.may(share->owner, Right::transcribe)) return share_not_found();
  return ApiCall{.exchange = call.exchange,
                 .principal = {share->owner, {Right::transcribe}},
                 .id = share->job,
                 .link = call.id};
}

// Returns the call that the owner of the job could make; nothing: the request is refused.
asio::awaitable<std::optional<ApiCall>> admitted_call(Api& api, ApiCall& call) {
  auto learning = api.shares.learn(call.id);
  co_await std::move(learning);
  auto as_owner = call_of_owner(api, call);
  if (as_owner) co_return *std::move(as_owner);
  Error error = as_owner.error();
  const bool is_unknown = error.code == errc::share_not_found;
  const auto counted = is_unknown ? count_token(api, call.exchange, call.id) : Result<void>();
  if (!counted) error = counted.error();
  Response refusal = refusal_of_caller(api, call.exchange, error);
  co_await call.exchange.send(std::move(refusal));
  co_return std::nullopt;
}

// Answers a link's request with a handler of the job's own routes that looks for the job when it is
// its turn.
asio::awaitable<void> answer_in_turn(Api& api, ApiCall& call, ApiHandler handler) {
  auto admitting = admitted_call(api, call);
  auto as_owner = co_await std::move(admitting);
  if (as_owner) co_await handler(api, *as_owner);
}

// Answers it with a handler that does not know of links.
asio::awaitable<void> answer_for(Api& api, ApiCall& call, ApiHandler handler) {
  auto admitting = admitted_call(api, call);
  auto as_owner = co_await std::move(admitting);
  if (!as_owner) co_return;
  const auto job = co_await api.submission.find(as_owner->id, as_owner->principal.name);
  if (!job) co_return co_await send_error(call.exchange, share_not_found());
  co_await handler(api, *as_owner);
}

// Who has a link learns of the recording, and nothing of who runs it in which way.
asio::awaitable<void> send_shared_job(Api& api, ApiCall& call) {
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, share_not_found());
  Json body = job_body(*job);
  body["owner"] = "";
  body["request_id"] = nullptr;
  body["metadata"] = Json::object();
  std::string text = protocol::json::dump(body);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace

asio::awaitable<void> share_job(Api& api, ApiCall& call) {
  const auto body = co_await call.exchange.read_body(max_share_bytes);
  if (!body) co_return co_await send_error(call.exchange, body.error());
  const auto seconds = ends_in(*body);
  if (!seconds) co_return co_await send_form_error(call.exchange, seconds.error());
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  const auto& owner = job->request.owner;
  const auto room = api.services.spool.room().check_stored(owner, Shares::bytes_of_one);
  if (!room) co_return co_await send_error(call.exchange, room.error());
  // First: what a link shows does not expire before it.
  auto keeping = api.services.jobs.change(job->id, owner, {.shared = true});
  const auto kept = co_await std::move(keeping);
  if (!kept) co_return co_await send_error(call.exchange, kept.error());
  auto making = api.shares.add(job->id, job->request.owner, std::floor(*seconds), share_time());
  const auto made = co_await std::move(making);
  if (!made) co_return co_await send_error(call.exchange, made.error());
  Json answer = share_body(made->share);
  answer["token"] = made->token;
  answer["url"] = share_url(call.exchange, made->token);
  std::string text = protocol::json::dump(answer);
  co_await send_json(call.exchange, std::move(text), http::status::created);
}

asio::awaitable<void> list_shares(Api& api, ApiCall& call) {
  const auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  auto catching_up = api.shares.catch_up();
  const auto caught_up = co_await std::move(catching_up);
  if (!caught_up) co_return co_await send_error(call.exchange, caught_up.error());
  Json data = Json::array();
  for (const auto& share : api.shares.of_job(job->id, job->request.owner, share_time())) {
    data.push_back(share_body(share));
  }
  std::string text = protocol::json::dump(Json{{"data", std::move(data)}});
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> end_share(Api& api, ApiCall& call) {
  auto ending = api.shares.remove(call.part, call.id, call.principal.name);
  const auto ended = co_await std::move(ending);
  if (!ended) co_return co_await send_error(call.exchange, ended.error());
  const Json body{{"id", call.part}, {"object", "share"}, {"deleted", true}};
  std::string text = protocol::json::dump(body);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> shared_job(Api& api, ApiCall& call) {
  return answer_for(api, call, send_shared_job);
}

asio::awaitable<void> shared_segments(Api& api, ApiCall& call) {
  return answer_for(api, call, job_segments);
}

asio::awaitable<void> shared_transcript(Api& api, ApiCall& call) {
  return answer_for(api, call, job_transcript);
}

asio::awaitable<void> shared_audio(Api& api, ApiCall& call) {
  return answer_in_turn(api, call, job_audio);
}

asio::awaitable<void> shared_peaks(Api& api, ApiCall& call) {
  return answer_in_turn(api, call, job_peaks);
}

}  // namespace server::api
