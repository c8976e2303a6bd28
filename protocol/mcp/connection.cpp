#include "protocol/mcp/connection.h"

#include <algorithm>
#include <utility>

#include "protocol/mcp/meta_keys.h"
#include "protocol/mcp/method.h"

namespace protocol::mcp {
namespace {

using jsonrpc::Error;

constexpr std::size_t max_batch = 10;  // all are answered at once, by the thread of everybody
constexpr char server_key[] = "io.modelcontextprotocol/serverInfo";

Send error(const Json& id, const Error& error) {
  return {jsonrpc::error_message(id, error), id};
}

Send notification(const char* method, Json params, Json request = {}) {
  return {jsonrpc::notification_message(method, std::move(params)), std::move(request)};
}

// Results that clients may cache (2026-07-28, server/utilities/caching). Lists of what is offered
// do not change while the server runs, and hold nothing private; resources may do both.
struct Caching {
  std::string_view method;
  int ttl_ms;
  const char* scope;
};
constexpr std::array cacheable{
    Caching{"server/discover", 3'600'000, "public"},
    Caching{"tools/list", 3'600'000, "public"},
    Caching{"prompts/list", 3'600'000, "public"},
    Caching{"resources/templates/list", 3'600'000, "public"},
    Caching{"resources/list", 0, "private"},
    Caching{"resources/read", 0, "private"},
};

// Joins answers into one batch; other actions stay as they are.
Actions joined(Actions actions) {
  Json answers = Json::array();
  Actions rest;
  for (auto& action : actions) {
    auto* send = std::get_if<Send>(&action);
    if (send && !send->message.contains("method")) {
      answers.push_back(std::move(send->message));
    } else {
      rest.push_back(std::move(action));
    }
  }
  if (!answers.empty()) rest.insert(rest.begin(), Send{std::move(answers), {}});
  return rest;
}

}  // namespace

Connection::Connection(const Features& features, std::string_view revision)
    : features_(features), initialized_(true) {
  legacy_.revision = revision;
  legacy_log_level_ = LogLevel::info;  // no later message could set it
}

Actions Connection::receive(std::string_view text) {
  const auto value = jsonrpc::parse_json(text);
  if (!value) return {error(value.error().id, value.error().error)};
  return receive_value(*value);
}

Actions Connection::receive_value(const Json& value) {
  return value.is_array() ? receive_batch(value) : receive_message(value);
}

Actions Connection::receive_batch(const Json& batch) {
  const std::string& revision = legacy_.revision;
  const bool allowed =
      initialized_ && revision >= batches_came && revision < batches_went && !batch.empty();
  if (!allowed)
    return {error({}, {jsonrpc::invalid_request,
                       "Batches are not supported. Send the messages one by one.",
                       {}})};
  if (batch.size() > max_batch) {
    return {error(
        {},
        {jsonrpc::invalid_request, "There are too many messages in one batch. Send fewer.", {}})};
  }
  Actions all;
  for (const auto& value : batch) {
    auto actions = receive_message(value);
    std::ranges::move(actions, std::back_inserter(all));
  }
  return joined(std::move(all));
}

Actions Connection::receive_message(const Json& value) {
  const auto message = jsonrpc::parse(value);
  if (!message) return {error(message.error().id, message.error().error)};
  if (const auto* request = std::get_if<jsonrpc::Request>(&*message)) return on_request(*request);
  if (const auto* notice = std::get_if<jsonrpc::Notification>(&*message)) {
    return on_notification(*notice);
  }
  return on_response(std::get<jsonrpc::Response>(*message));
}

bool Connection::is_in_flight(const Json& id) const {
  const auto same = [&id](const auto& open) { return open.id == id; };
  return std::ranges::any_of(subscriptions_, same) ||
         std::ranges::any_of(pending_, [&](const auto& entry) { return same(entry.second); });
}

Actions Connection::on_request(const jsonrpc::Request& request) {
  const auto envelope = read_envelope(request.params);
  if (!envelope) return {error(request.id, envelope.error())};
  const Era era = envelope->modern ? Era::modern : Era::legacy;
  const Method* method = find_method(request.method, era);
  if (!method || !method->is_offered(features_)) {
    return {error(request.id,
                  {jsonrpc::method_not_found,
                   "There is no method " + request.method + ". Use one that the server offers.",
                   {}})};
  }
  if (is_in_flight(request.id)) {
    return {error(request.id,
                  {jsonrpc::invalid_request,
                   "A request with this id is still running. Use a new id for each request.",
                   {}})};
  }
  if (era == Era::legacy && !initialized_ && !method->before_initialize) {
    return {error(request.id, {jsonrpc::invalid_request,
                               "The session is not initialized. Send initialize first, or name a "
                               "protocol version in params._meta.",
                               {}})};
  }
  const Caller& caller = envelope->modern ? *envelope->modern : legacy_;
  return (this->*method->handle)({request, *envelope, caller});
}

Actions Connection::on_notification(const jsonrpc::Notification& notice) {
  if (notice.method == "notifications/cancelled") return on_cancelled(notice.params);
  return {};  // notifications/initialized and others of no interest
}

Actions Connection::on_cancelled(const Json& params) {
  const auto id = params.find("requestId");
  if (id == params.end()) return {};
  std::erase_if(subscriptions_, [&](const Subscription& one) { return one.id == *id; });
  const auto it =
      std::ranges::find_if(pending_, [&](const auto& entry) { return entry.second.id == *id; });
  if (it == pending_.end()) return {};  // the call has ended meanwhile
  const CallId call = it->first;
  pending_.erase(it);
  forget_questions(call);
  return {Abandon{call}};
}

Actions Connection::begin(const Incoming& in, Work work) {
  const CallId id = ++last_call_;
  const bool wants_progress = !in.envelope.progress_token.is_null();
  Pending pending{
      .id = in.request.id,
      .caller = in.caller,
      .method = in.request.method,
      .progress_token = in.envelope.progress_token,
      .log_level = in.caller.era == Era::modern ? in.envelope.log_level : legacy_log_level_};
  pending_.emplace(id, std::move(pending));
  return {Begin{{id, in.caller, std::move(work), wants_progress}}};
}

Actions Connection::progress(CallId call, const Progress& progress) {
  const auto it = pending_.find(call);
  if (it == pending_.end() || it->second.progress_token.is_null()) return {};
  Pending& pending = it->second;
  if (pending.any_progress && progress.progress <= pending.progress) return {};
  pending.any_progress = true;
  pending.progress = progress.progress;
  Json params{{"progressToken", pending.progress_token}, {"progress", progress.progress}};
  if (progress.total) params["total"] = *progress.total;
  const bool has_messages = pending.caller.revision >= batches_came;
  if (has_messages && !progress.message.empty()) params["message"] = progress.message;
  return {notification("notifications/progress", std::move(params), pending.id)};
}

Actions Connection::log(CallId call, LogLevel level, std::string_view logger, const Json& data) {
  const auto it = pending_.find(call);
  if (it == pending_.end()) return {};
  const auto& wanted = it->second.log_level;
  if (!wanted || level < *wanted) return {};
  Json params{{"level", name(level)}, {"logger", logger}, {"data", data}};
  return {notification("notifications/message", std::move(params), it->second.id)};
}

Json Connection::shaped(const Caller& caller, std::string_view method, Json result) const {
  if (caller.era == Era::legacy) {
    if (caller.revision < structured_content_came) result.erase("structuredContent");
    return result;
  }
  if (!result.contains("resultType")) result["resultType"] = "complete";
  result["_meta"][server_key] = json_of(features_.server, caller.revision);
  const auto rule = std::ranges::find(cacheable, method, &Caching::method);
  if (rule != cacheable.end() && result["resultType"] == "complete") {
    result["ttlMs"] = rule->ttl_ms;
    result["cacheScope"] = rule->scope;
  }
  return result;
}

Send Connection::answer(const Json& id, const Caller& caller, std::string_view method,
                        Json result) const {
  return {jsonrpc::result_message(id, shaped(caller, method, std::move(result))), id};
}

Actions Connection::finish(CallId call, Outcome outcome) {
  auto node = pending_.extract(call);
  if (node.empty()) return {};
  forget_questions(call);
  const Pending& pending = node.mapped();
  if (const auto* failed = std::get_if<Error>(&outcome)) return {error(pending.id, *failed)};
  Json result;
  if (auto* body = std::get_if<Json>(&outcome)) result = std::move(*body);
  if (auto* more = std::get_if<InputRequired>(&outcome)) {
    result = {{"resultType", "input_required"}};
    if (!more->requests.empty()) result["inputRequests"] = std::move(more->requests);
    if (!more->state.empty()) result["requestState"] = std::move(more->state);
  }
  if (auto* started = std::get_if<TaskStarted>(&outcome)) {
    result = std::move(started->task);
    result["resultType"] = "task";
  }
  return {answer(pending.id, pending.caller, pending.method, std::move(result))};
}

Actions Connection::resource_updated(const std::string& uri) {
  Actions actions;
  if (std::ranges::find(legacy_uris_, uri) != legacy_uris_.end()) {
    actions.push_back(notification("notifications/resources/updated", {{"uri", uri}}));
  }
  for (const auto& one : subscriptions_) {
    if (std::ranges::find(one.uris, uri) == one.uris.end()) continue;
    Json params{{"uri", uri}, {"_meta", {{subscription_key, one.id}}}};
    actions.push_back(notification("notifications/resources/updated", std::move(params), one.id));
  }
  return actions;
}

Actions Connection::resources_changed() {
  constexpr char method[] = "notifications/resources/list_changed";
  Actions actions;
  if (hears_unasked_) actions.push_back(notification(method, Json::object()));
  for (const auto& one : subscriptions_) {
    if (!one.resources_changed) continue;
    actions.push_back(notification(method, {{"_meta", {{subscription_key, one.id}}}}, one.id));
  }
  return actions;
}

Actions Connection::close() {
  Actions actions;
  const Caller modern{.era = Era::modern, .revision = std::string(newest_modern)};
  for (const auto& one : std::exchange(subscriptions_, {})) {
    Json result{{"_meta", {{subscription_key, one.id}}}};
    actions.push_back(answer(one.id, modern, "subscriptions/listen", std::move(result)));
  }
  questions_.clear();
  for (const auto& [call, pending] : std::exchange(pending_, {})) actions.push_back(Abandon{call});
  return actions;
}

}  // namespace protocol::mcp
