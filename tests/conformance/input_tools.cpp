#include <algorithm>
#include <array>
#include <utility>

#include "tests/conformance/fixture.h"

// Tools that end with "input required" until a modern client has called them with all answers.
namespace conformance {
namespace {

Json elicit(const char* message, const char* field, const char* type = "string") {
  const Json schema{
      {"type", "object"}, {"properties", {{field, {{"type", type}}}}}, {"required", {field}}};
  return {{"method", "elicitation/create"},
          {"params", {{"message", message}, {"requestedSchema", schema}}}};
}

Json sample(const char* question, int tokens) {
  const Json message{{"role", "user"}, {"content", {{"type", "text"}, {"text", question}}}};
  return {{"method", "sampling/createMessage"},
          {"params", {{"messages", Json::array({message})}, {"maxTokens", tokens}}}};
}

Json name_request() {
  return elicit("What is your name?", "name");
}
Json roots_request() {
  return {{"method", "roots/list"}, {"params", Json::object()}};
}

// Returns only those requests that the client has declared it can answer.
Json askable(const Json& requests, const mcp::Caller& caller) {
  Json some = Json::object();
  for (const auto& [key, request] : requests.items()) {
    const std::string method = request["method"];
    const std::string capability = method.substr(0, method.find('/'));
    if (caller.can(capability.c_str())) some[key] = request;
  }
  return some;
}

mcp::Outcome tampered() {
  return protocol::jsonrpc::Error{
      protocol::jsonrpc::invalid_params, "requestState is not one that was given out", {}};
}

Answer once(Asked asked, Json requests, bool with_state, std::string said) {
  const Json& responses = asked.tool.input_responses;
  const Json open = askable(requests, asked.caller);
  const std::string& name = asked.tool.name;
  const bool is_retry = !asked.tool.request_state.empty();
  if (with_state && is_retry && !asked.shared.state.open(name, asked.tool.request_state)) {
    co_return tampered();
  }
  const bool is_whole = has_answers(responses, open) && (is_retry || !with_state);
  if (is_whole) co_return mcp::tool_result(said + " " + responses.dump());
  mcp::InputRequired more{.requests = open};
  if (with_state) more.state = asked.shared.state.seal(name, 1);
  co_return more;
}

Answer elicitation(Asked asked) {
  return once(asked, {{"user_name", name_request()}}, false, "Hello!");
}
Answer sampling(Asked asked) {
  return once(asked, {{"capital_question", sample("What is the capital of France?", 100)}}, false,
              "Sampled:");
}
Answer list_roots(Asked asked) {
  return once(asked, {{"client_roots", roots_request()}}, false, "Roots:");
}
Answer request_state(Asked asked) {
  return once(asked, {{"confirm", elicit("Please confirm", "ok", "boolean")}}, true, "state-ok");
}
Answer multiple_inputs(Asked asked) {
  return once(asked,
              {{"user_name", name_request()},
               {"greeting", sample("Generate a greeting", 50)},
               {"client_roots", roots_request()}},
              true, "All:");
}
Answer capabilities(Asked asked) {
  return once(asked,
              {{"user_name", name_request()}, {"greeting", sample("Generate a greeting", 50)}},
              false, "Those:");
}

Answer multi_round(Asked asked) {
  const std::array steps{Json{{"step1", elicit("Step 1: What is your name?", "name")}},
                         Json{{"step2", elicit("Step 2: What is your favorite color?", "color")}}};
  std::size_t step = 0;
  if (!asked.tool.request_state.empty()) {
    const auto round = asked.shared.state.open(asked.tool.name, asked.tool.request_state);
    if (!round) co_return tampered();
    step = round->get<std::size_t>();
    if (has_answers(asked.tool.input_responses, steps.at(step))) ++step;
  }
  if (step == steps.size()) co_return mcp::tool_result("Both steps are done.");
  co_return mcp::InputRequired{steps.at(step), asked.shared.state.seal(asked.tool.name, step)};
}

Answer streaming_elicitation(Asked asked) {
  asked.context.progress({1, 2, ""});
  return elicitation(asked);
}

Answer missing_capability(Asked asked) {
  if (!asked.caller.can("sampling")) {
    co_return mcp::missing_capability({{"sampling", Json::object()}});
  }
  co_return mcp::tool_result("The client can sample.");
}

}  // namespace

Json input_of_prompt() {
  return {{"user_context", elicit("What context should the prompt use?", "context")}};
}

bool has_answers(const Json& responses, const Json& requests) {
  const auto answered = [&](const auto& request) {
    const auto response = responses.find(request.key());
    return response != responses.end() && response->is_object();
  };
  const auto items = requests.items();
  return std::all_of(items.begin(), items.end(), answered);
}

std::vector<FixtureTool> input_tools() {
  const char* what = "Asks for more input";
  return {{tool("test_input_required_result_elicitation", what), elicitation},
          {tool("test_input_required_result_sampling", what), sampling},
          {tool("test_input_required_result_list_roots", what), list_roots},
          {tool("test_input_required_result_request_state", what), request_state},
          {tool("test_input_required_result_tampered_state", what), request_state},
          {tool("test_input_required_result_multiple_inputs", what), multiple_inputs},
          {tool("test_input_required_result_multi_round", what), multi_round},
          {tool("test_input_required_result_capabilities", what), capabilities},
          {tool("test_streaming_elicitation", what), streaming_elicitation},
          {tool("test_missing_capability", "Needs sampling"), missing_capability}};
}

}  // namespace conformance
