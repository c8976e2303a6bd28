#include <algorithm>
#include <utility>

#include "protocol/mcp/meta_keys.h"
#include "protocol/mcp/method.h"

// This file handles subscriptions of clients: resources/subscribe of the legacy era,
// subscriptions/listen and the tasks extension of the modern one.
namespace protocol::mcp {
namespace {

constexpr std::size_t max_subscribed = 1000;  // URIs of one connection
constexpr std::size_t max_streams = 64;

jsonrpc::Error invalid(const char* message) {
  return {jsonrpc::invalid_params, message, {}};
}

std::optional<std::string> text_in(const Json& params, const char* key) {
  const auto value = params.find(key);
  if (value == params.end() || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

bool is_true(const Json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> texts_of(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return texts;
  for (const auto& text : *list) {
    if (text.is_string() && texts.size() < max_subscribed) texts.push_back(text);
  }
  return texts;
}

}  // namespace

Actions Connection::subscribe(const Incoming& in) {
  const auto uri = text_in(in.request.params, "uri");
  if (!uri) return refuse(in, invalid("params.uri must be a string."));
  const bool known = std::ranges::find(legacy_uris_, *uri) != legacy_uris_.end();
  if (!known && legacy_uris_.size() == max_subscribed) {
    return refuse(in, invalid("There are too many subscriptions. End some of them first."));
  }
  if (!known) legacy_uris_.push_back(*uri);
  return answer(in, Json::object());
}

Actions Connection::unsubscribe(const Incoming& in) {
  const auto uri = text_in(in.request.params, "uri");
  if (!uri) return refuse(in, invalid("params.uri must be a string."));
  std::erase(legacy_uris_, *uri);
  return answer(in, Json::object());
}

// Subscribes a modern client. The request is answered only when it ends: by close(), or never,
// where the client cancels it.
Actions Connection::listen(const Incoming& in) {
  const auto wanted = in.request.params.find("notifications");
  if (wanted == in.request.params.end() || !wanted->is_object()) {
    return refuse(in, invalid("params.notifications must be an object."));
  }
  if (subscriptions_.size() == max_streams)
    return refuse(in, invalid("There are too many subscriptions. End some of them first."));
  Subscription one{.id = in.request.id};
  Json agreed = Json::object();
  if (features_.resources && is_true(*wanted, "resourcesListChanged")) {
    one.resources_changed = true;
    agreed["resourcesListChanged"] = true;
  }
  if (features_.resource_subscriptions) {
    one.uris = texts_of(*wanted, "resourceSubscriptions");
    if (!one.uris.empty()) agreed["resourceSubscriptions"] = one.uris;
  }
  subscriptions_.push_back(std::move(one));
  Json params{{"notifications", std::move(agreed)}, {"_meta", {{subscription_key, in.request.id}}}};
  return {Send{
      jsonrpc::notification_message("notifications/subscriptions/acknowledged", std::move(params)),
      in.request.id}};
}

Actions Connection::about_task(const Incoming& in, const std::function<Work(std::string)>& work) {
  if (!in.caller.can_tasks()) {
    return refuse(in, missing_capability(
                          {{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}}));
  }
  auto task = text_in(in.request.params, "taskId");
  if (!task) return refuse(in, invalid("params.taskId must be a string."));
  return begin(in, work(*std::move(task)));
}

Actions Connection::get_task(const Incoming& in) {
  return about_task(in, [](std::string task) { return GetTask{std::move(task)}; });
}

Actions Connection::update_task(const Incoming& in) {
  const Json responses = in.request.params.value("inputResponses", Json::object());
  return about_task(in, [&](std::string task) { return UpdateTask{std::move(task), responses}; });
}

Actions Connection::cancel_task(const Incoming& in) {
  return about_task(in, [](std::string task) { return CancelTask{std::move(task)}; });
}

}  // namespace protocol::mcp
