#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/jsonrpc.h"
#include "protocol/mcp/revision.h"

// The requests of a client that the program behind the protocol has to answer, and its answers.
namespace protocol::mcp {

using jsonrpc::Json;

// The sender of a request. A legacy client names itself in `initialize`, a modern one in each
// request.
struct Caller {
  Era era = Era::legacy;
  std::string revision{newest_legacy};
  std::string client{};                // "name version", for logs; empty: not given
  Json capabilities = Json::object();  // ClientCapabilities

  bool can(const char* capability) const { return capabilities.contains(capability); }
  bool can_tasks() const;  // the extension io.modelcontextprotocol/tasks
};

struct CallTool {
  std::string name{};  // the name of a tool that exists
  Json arguments = Json::object();
  Json input_responses = Json::object();  // from a modern client that was asked for more
  std::string request_state{};            // as the server sent it; anybody may have forged it
};

struct ListResources {
  std::optional<std::string> cursor{};
};

struct ReadResource {
  std::string uri{};
  Json input_responses = Json::object();
  std::string request_state{};
};

struct GetPrompt {
  std::string name{};               // a prompt that exists, with all required arguments
  Json arguments = Json::object();  // its values are strings
  Json input_responses = Json::object();
  std::string request_state{};
};

struct Complete {
  enum class Of { prompt, resource } of = Of::prompt;
  std::string reference{};  // the prompt's name, or the URI template
  std::string argument{};
  std::string value{};              // as far as it has been typed
  Json arguments = Json::object();  // the arguments that are filled in already
};

struct GetTask {
  std::string task{};
};
struct UpdateTask {
  std::string task{};
  Json input_responses = Json::object();
};
struct CancelTask {
  std::string task{};
};

using Work = std::variant<CallTool, ListResources, ReadResource, GetPrompt, Complete, GetTask,
                          UpdateTask, CancelTask>;

using CallId = std::uint64_t;  // never given twice by one connection

struct Call {
  CallId id = 0;
  Caller caller{};
  Work work{};
  bool wants_progress = false;
};

// Asks a modern client to repeat its request with the answers to these.
struct InputRequired {
  Json requests = Json::object();  // InputRequests, by keys that the server chose
  std::string state{};
};

// The call goes on as a task; only for callers that can_tasks().
struct TaskStarted {
  Json task{};  // taskId, status, …
};

// The outcome of a call. A Json is the body of the result: {"content": …}, {"contents": …},
// {"messages": …}, …
using Outcome = std::variant<Json, jsonrpc::Error, InputRequired, TaskStarted>;

struct Progress {
  double progress = 0;  // must rise; an equal or smaller one is not sent
  std::optional<double> total{};
  std::string message{};
};

// Makes a CallToolResult of text. `structured` must fit the tool's output schema; null: none.
Json tool_result(std::string text, Json structured = {});
// Makes an error that the model can act on: its text is for the model.
Json tool_error(std::string text);

jsonrpc::Error unknown_resource(const std::string& uri, Era era);
jsonrpc::Error missing_capability(Json required);

}  // namespace protocol::mcp
