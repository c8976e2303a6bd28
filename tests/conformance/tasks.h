#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "protocol/mcp/call.h"

namespace conformance {

using protocol::mcp::Json;

// Tasks in memory. Nothing runs for them: what a task is comes from the clock when somebody asks.
class Tasks {
 public:
  using End =
      std::variant<Json, protocol::jsonrpc::Error>;  // a tool's result, or why there is none
  using Clock = std::chrono::system_clock;

  // Ends by itself after `time`. The result is TaskStarted's body.
  Json start(std::chrono::milliseconds time, End end);
  // Ends when the client has answered all of these.
  Json start_asking(Json requests, End end);

  // The result of tasks/get; nothing: there is no such task.
  std::optional<Json> get(const std::string& id) const;
  // Returns false where there is no such task. Answers to requests that were not made are ignored.
  bool update(const std::string& id, const Json& responses);
  bool cancel(const std::string& id);

 private:
  struct Task {
    Clock::time_point created{};
    Clock::time_point ends_at{};
    Json requests = Json::object();  // requests that are open
    bool is_cancelled = false;
    End end{};
  };

  static Json base_of(const std::string& id, const Task& task);
  Json add(Task task);

  std::map<std::string, Task> tasks_{};
};

}  // namespace conformance
