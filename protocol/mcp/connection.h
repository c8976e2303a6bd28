#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/mcp/call.h"
#include "protocol/mcp/envelope.h"
#include "protocol/mcp/features.h"

namespace protocol::mcp {

// A message for the client. On HTTP it goes onto the stream of the request that it belongs to.
struct Send {
  Json message{};
  Json request{};  // the id of that request; null: it belongs to none
};
// A call for the program, which answers with progress() and finish().
struct Begin {
  Call call{};
};
// The client no longer wants this call: nothing of it is sent any more.
struct Abandon {
  CallId call = 0;
};
// The client's answer to a question of ask().
struct Answered {
  CallId call = 0;
  std::string question{};
  jsonrpc::Checked<Json> answer = jsonrpc::Error{};  // a result, or the client's error
};

using Action = std::variant<Send, Begin, Abandon, Answered>;
using Actions = std::vector<Action>;

// MCP from the server's side, for one client, as a state machine without I/O: each call returns the
// actions to take now, in order. Both eras may be mixed on one connection. Over stdio there is one
// connection for the process; over HTTP one for each POST, because neither era needs more there
// (legacy without session ids). It is not thread safe. `features` must outlive it.
class Connection {
 public:
  // Serves a legacy client that must open with `initialize` (stdio).
  explicit Connection(const Features& features) : features_(features) {}
  // Serves a legacy client that may send requests at once, in this revision (HTTP: the
  // MCP-Protocol-Version header).
  Connection(const Features& features, std::string_view revision);

  // Takes one message of the client, or a batch where its revision has them.
  Actions receive(std::string_view text);
  Actions receive_value(const Json& value);

  // These three are for calls that have not ended. Unknown calls are ignored: the client may have
  // abandoned them.
  Actions progress(CallId call, const Progress& progress);
  Actions log(CallId call, LogLevel level, std::string_view logger, const Json& data);
  Actions finish(CallId call, Outcome outcome);
  // Asks the client of a running call for something: sampling/createMessage, elicitation/create or
  // roots/list. Only legacy clients answer, by a message of their own; modern ones get
  // InputRequired. `question` is the request's id, which nobody may be able to guess, because over
  // HTTP any program that knows it can answer.
  Actions ask(CallId call, const std::string& question, std::string_view method, Json params);

  // Returns whether neither calls nor subscriptions are open.
  bool is_idle() const { return pending_.empty() && subscriptions_.empty(); }
  bool is_in_flight(const Json& id) const;  // `id` is that of a client's request
  bool has_asked(const std::string& question) const { return questions_.contains(question); }

  // Both notify the clients that subscribed to it.
  Actions resource_updated(const std::string& uri);
  Actions resources_changed();

  // Ends all subscriptions, which get their last message, and abandons all calls.
  Actions close();

 private:
  struct Pending {
    Json id{};
    Caller caller{};
    std::string method{};
    Json progress_token{};
    double progress = 0;
    bool any_progress = false;
    std::optional<LogLevel> log_level{};
  };
  // A modern client's subscription, made by subscriptions/listen.
  struct Subscription {
    Json id{};
    bool resources_changed = false;
    std::vector<std::string> uris{};
  };
  struct Method;
  struct Incoming;  // a request and its sender

  static const Method* find_method(std::string_view name, Era era);

  Actions receive_message(const Json& value);
  Actions receive_batch(const Json& batch);
  Actions on_request(const jsonrpc::Request& request);
  Actions on_notification(const jsonrpc::Notification& notification);
  Actions on_cancelled(const Json& params);
  Actions on_response(const jsonrpc::Response& response);
  void forget_questions(CallId call);

  Actions initialize(const Incoming& in);
  Actions discover(const Incoming& in);
  Actions ping(const Incoming& in);
  Actions set_log_level(const Incoming& in);
  Actions list_tools(const Incoming& in);
  Actions list_prompts(const Incoming& in);
  Actions list_templates(const Incoming& in);
  Actions list_resources(const Incoming& in);
  Actions read_resource(const Incoming& in);
  Actions subscribe(const Incoming& in);
  Actions unsubscribe(const Incoming& in);
  Actions listen(const Incoming& in);
  Actions call_tool(const Incoming& in);
  Actions get_prompt(const Incoming& in);
  Actions complete(const Incoming& in);
  Actions get_task(const Incoming& in);
  Actions update_task(const Incoming& in);
  Actions cancel_task(const Incoming& in);

  Actions about_task(const Incoming& in, const std::function<Work(std::string)>& work);

  Actions begin(const Incoming& in, Work work);
  Actions refuse(const Incoming& in, const jsonrpc::Error& error) const;
  Actions answer(const Incoming& in, Json result) const;
  // Returns a result in the shape of the caller's era.
  Json shaped(const Caller& caller, std::string_view method, Json result) const;
  Send answer(const Json& id, const Caller& caller, std::string_view method, Json result) const;

  const Features& features_;
  bool initialized_ = false;
  bool hears_unasked_ = false;  // a legacy client that takes notifications at any time
  Caller legacy_{};
  std::optional<LogLevel> legacy_log_level_{};
  std::vector<std::string> legacy_uris_{};  // resources/subscribe
  std::map<CallId, Pending> pending_{};
  std::map<std::string, CallId> questions_{};  // questions without an answer yet
  std::vector<Subscription> subscriptions_{};
  CallId last_call_ = 0;
};

}  // namespace protocol::mcp
