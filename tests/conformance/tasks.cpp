#include "tests/conformance/tasks.h"

#include <ctime>
#include <utility>

#include "server/base/random_id.h"

namespace conformance {
namespace {

std::string iso(Tasks::Clock::time_point time) {
  const std::time_t seconds = Tasks::Clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

Json Tasks::base_of(const std::string& id, const Task& task) {
  const bool ended = task.ends_at <= Clock::now();
  std::string status = ended ? "completed" : "working";
  if (ended && std::holds_alternative<protocol::jsonrpc::Error>(task.end)) status = "failed";
  if (!task.requests.empty()) status = "input_required";
  if (task.is_cancelled) status = "cancelled";
  return {{"taskId", id},
          {"status", status},
          {"createdAt", iso(task.created)},
          {"lastUpdatedAt", iso(ended ? task.ends_at : task.created)},
          {"ttlMs", 3'600'000},
          {"pollIntervalMs", 200}};
}

Json Tasks::add(Task task) {
  task.created = Clock::now();
  const std::string id = server::random_id();
  Json base = base_of(id, task);
  tasks_.emplace(id, std::move(task));
  return base;
}

Json Tasks::start(std::chrono::milliseconds time, End end) {
  return add({.ends_at = Clock::now() + time, .end = std::move(end)});
}

Json Tasks::start_asking(Json requests, End end) {
  return add({.ends_at = Clock::time_point::max(),
              .requests = std::move(requests),
              .end = std::move(end)});
}

std::optional<Json> Tasks::get(const std::string& id) const {
  const auto it = tasks_.find(id);
  if (it == tasks_.end()) return std::nullopt;
  Json json = base_of(id, it->second);
  if (json["status"] == "input_required") json["inputRequests"] = it->second.requests;
  if (json["status"] == "completed") json["result"] = std::get<Json>(it->second.end);
  if (json["status"] == "failed") {
    const auto& error = std::get<protocol::jsonrpc::Error>(it->second.end);
    json["error"] = {{"code", error.code}, {"message", error.message}};
  }
  return json;
}

bool Tasks::update(const std::string& id, const Json& responses) {
  const auto it = tasks_.find(id);
  if (it == tasks_.end()) return false;
  Task& task = it->second;
  if (task.requests.empty()) return true;
  for (const auto& [key, response] : responses.items()) task.requests.erase(key);
  if (task.requests.empty()) task.ends_at = Clock::now();
  return true;
}

bool Tasks::cancel(const std::string& id) {
  const auto it = tasks_.find(id);
  if (it == tasks_.end()) return false;
  if (it->second.ends_at > Clock::now()) {
    it->second.is_cancelled = true;
    it->second.requests = Json::object();
    it->second.ends_at = Clock::now();
  }
  return true;
}

}  // namespace conformance
