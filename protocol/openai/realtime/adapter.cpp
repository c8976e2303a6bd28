#include "protocol/openai/realtime/adapter.h"

#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_text.h"

namespace protocol::openai::realtime {
namespace {

using live::Actions;
using live::Close;

constexpr double ending_s = 30;  // for the text of the last turn

}  // namespace

RealtimeAdapter::RealtimeAdapter(RealtimeSetup setup)
    : setup_(std::move(setup)), ids_(setup_.seed), config_(setup_.config), conversation_(ids_) {}

Actions RealtimeAdapter::begin() {
  const double expires = setup_.now() + setup_.most_session_s;
  facts_ = {.id = ids_.next("sess_"), .expires_at = static_cast<long long>(expires)};
  const char* type = is_beta() ? "transcription_session.created" : "session.created";
  return {send(type, {{"session", session_json()}})};
}

Actions RealtimeAdapter::tell_end(int) {
  Actions actions;
  add_failures(actions, {"server_error",
                         "The session ended before this turn. Send its audio in another session."});
  is_open_ = false;
  actions.emplace_back(close_.value_or(Close{1001, "The server ends."}));
  return actions;
}

Actions RealtimeAdapter::tell_failure(int, const Error& error) {
  const Refusal why{"server_error", error_text(error)};
  Actions actions;
  add_failures(actions, why);
  taken_s_ = pushed_s_;
  actions.emplace_back(send("error", {{"error", error_json("server_error", why, "")}}));
  if (close_) actions.emplace_back(*close_);
  return actions;
}

// Audio of another format does not become readable later, so the session ends.
Actions RealtimeAdapter::tell_undecodable(int, const Error& error) {
  close_ = Close{1007, "The audio is not in the session's format."};
  const Refusal why{invalid_value, error_text(error), "audio"};
  return {send("error", {{"error", error_json("invalid_request_error", why, "")}}), *close_};
}

Actions RealtimeAdapter::tell_kept(int, const Result<std::string>& job) {
  if (job) {
    job_ = *job;
    return {send("scribed.kept", {{"job_id", job_}})};
  }
  const Error& error = job.error();
  const Refusal why{error.code, error_text(error)};
  const std::string event_id = std::exchange(keep_, std::nullopt).value_or("");
  job_.clear();
  return {send("error", {{"error", error_json("server_error", why, event_id)}})};
}

Actions RealtimeAdapter::tick(double silent_s) {
  const double now = setup_.now();
  if (close_) return now < close_by_ ? Actions{} : Actions{*close_};
  if (now >= static_cast<double>(facts_.expires_at)) {
    const Refusal expired{"session_expired",
                          "The session has reached its longest duration. Open another one."};
    Actions actions = refuse(expired, "");
    for (auto& action : end({1000, "session_expired"})) actions.push_back(std::move(action));
    return actions;
  }
  if (silent_s >= setup_.most_silent_s) return end({1000, "The session was idle for too long."});
  return {};
}

Actions RealtimeAdapter::tell_shutdown() {
  close_ = Close{1001, "The server ends."};
  close_by_ = setup_.now() + ending_s;
  if (is_open_) return {};
  return {*close_};
}

Actions RealtimeAdapter::tell_limit(const Error& error) {
  const Refusal why{error.code, error_text(error)};
  close_ = Close{1008, error.message};
  close_by_ = setup_.now() + ending_s;
  Actions actions{send("error", {{"error", error_json("rate_limit_error", why, "")}})};
  if (!is_open_) actions.emplace_back(*close_);
  return actions;
}

Actions RealtimeAdapter::end(Close close) {
  close_ = std::move(close);
  close_by_ = setup_.now() + ending_s;
  if (!is_open_) return {*close_};
  return {live::Finish{}};
}

live::Send RealtimeAdapter::send(const char* type, Json fields) {
  Json event{{"event_id", ids_.next("event_")}, {"type", type}};
  event.update(fields);
  return {.bytes = json::dump(event)};
}

Actions RealtimeAdapter::refuse(const Refusal& refusal, const std::string& event_id) {
  return {send("error", {{"error", error_json("invalid_request_error", refusal, event_id)}})};
}

Json RealtimeAdapter::session_json() const {
  return is_beta() ? flat_session(config_, facts_) : nested_session(config_, facts_);
}

bool RealtimeAdapter::detects_turns() const {
  return !std::holds_alternative<NoTurnDetection>(turns_of(config_));
}

}  // namespace protocol::openai::realtime
