#include <chrono>
#include <utility>

#include "server/base/race.h"
#include "tests/conformance/fixture.h"

// Tools that go on as tasks.
namespace conformance {
namespace {

using std::chrono::milliseconds;

Json confirm(const char* message) {
  const Json schema{{"type", "object"},
                    {"properties", {{"confirm", {{"type", "boolean"}}}}},
                    {"required", {"confirm"}}};
  return {{"method", "elicitation/create"},
          {"params", {{"message", message}, {"requestedSchema", schema}}}};
}

mcp::Outcome needs_tasks() {
  return mcp::missing_capability(
      {{"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}});
}

Answer greet(Asked asked) {
  co_return mcp::tool_result("Hello, " + asked.tool.arguments.value("name", "you") + "!");
}

Answer slow_compute(Asked asked) {
  const milliseconds time(static_cast<int>(asked.tool.arguments.value("seconds", 0.0) * 1000));
  Json result = mcp::tool_result("computed " + asked.tool.arguments.value("label", ""));
  if (asked.caller.can_tasks()) co_return mcp::TaskStarted{asked.shared.tasks.start(time, result)};
  co_await server::sleep_for(time);
  co_return mcp::Outcome(std::move(result));
}

Answer failing_job(Asked asked) {
  if (!asked.caller.can_tasks()) co_return needs_tasks();
  const Json failed = mcp::tool_error("The job has failed, as it always does.");
  co_return mcp::TaskStarted{asked.shared.tasks.start(milliseconds(1000), failed)};
}

Answer protocol_error_job(Asked asked) {
  if (!asked.caller.can_tasks()) co_return needs_tasks();
  const protocol::jsonrpc::Error error{protocol::jsonrpc::internal_error, "the job broke", {}};
  co_return mcp::TaskStarted{asked.shared.tasks.start(milliseconds(200), error)};
}

Answer confirm_delete(Asked asked) {
  if (!asked.caller.can_tasks()) co_return needs_tasks();
  co_return mcp::TaskStarted{asked.shared.tasks.start_asking(
      {{"confirm", confirm("Delete the file?")}}, mcp::tool_result("Deleted."))};
}

Answer multi_input(Asked asked) {
  if (!asked.caller.can_tasks()) co_return needs_tasks();
  co_return mcp::TaskStarted{asked.shared.tasks.start_asking(
      {{"first", confirm("The first?")}, {"second", confirm("The second?")}},
      mcp::tool_result("Both were answered."))};
}

// Asks first, and goes on as a task with what it has heard.
Answer with_task(Asked asked) {
  if (!asked.caller.can_tasks()) co_return needs_tasks();
  const Json requests{{"user_name", confirm("What is your name?")}};
  const Json& responses = asked.tool.input_responses;
  if (!has_answers(responses, requests)) co_return mcp::InputRequired{requests, ""};
  co_return mcp::TaskStarted{
      asked.shared.tasks.start(milliseconds(100), mcp::tool_result("Heard: " + responses.dump()))};
}

}  // namespace

std::vector<FixtureTool> task_tools() {
  const Json string{{"type", "string"}};
  return {{tool("greet", "Greets at once", {{"name", string}}), greet},
          {tool("slow_compute", "Takes its time",
                {{"seconds", {{"type", "number"}}}, {"label", string}}),
           slow_compute},
          {tool("failing_job", "Fails as a task"), failing_job},
          {tool("protocol_error_job", "Breaks as a task"), protocol_error_job},
          {tool("confirm_delete", "Asks as a task", {{"filename", string}}), confirm_delete},
          {tool("multi_input", "Asks twice as a task"), multi_input},
          {tool("test_tool_with_task", "Asks and goes on as a task"), with_task}};
}

}  // namespace conformance
