#include <algorithm>
#include <utility>

#include "tests/conformance/fixture.h"

namespace conformance {
namespace {

using protocol::jsonrpc::Error;

Error invalid(std::string message) {
  return {protocol::jsonrpc::invalid_params, std::move(message), {}};
}

mcp::Outcome about_task(const mcp::Work& work, Tasks& tasks) {
  const Json done = Json::object();
  if (const auto* get = std::get_if<mcp::GetTask>(&work)) {
    auto task = tasks.get(get->task);
    if (!task) return invalid("there is no task " + get->task);
    return mcp::Outcome(*std::move(task));
  }
  const auto* update = std::get_if<mcp::UpdateTask>(&work);
  const std::string& id = update ? update->task : std::get<mcp::CancelTask>(work).task;
  const bool found = update ? tasks.update(id, update->input_responses) : tasks.cancel(id);
  if (!found) return invalid("there is no task " + id);
  return mcp::Outcome(done);
}

}  // namespace

mcp::Tool tool(const char* name, const char* description, Json properties, Json required) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {.name = name,
          .description = description,
          .input_schema = std::move(schema),
          .annotations = {.read_only = true, .destructive = false}};
}

FixtureCalls::FixtureCalls() {
  for (auto part : {content_tools(), asking_tools(), input_tools(), task_tools()}) {
    std::ranges::move(part, std::back_inserter(tools_));
  }
  features_.server = {.name = "scribed-conformance-server", .version = "1"};
  for (const auto& one : tools_) features_.tools.push_back(one.tool);
  add_prompts_and_resources(features_);
  features_.resources = features_.resource_subscriptions = true;
  features_.completions = features_.logging = features_.tasks = true;
}

Answer FixtureCalls::answer(const mcp::Call& call, server::CallContext& context) {
  if (const auto* asked = std::get_if<mcp::CallTool>(&call.work)) {
    const auto named = [&](const FixtureTool& one) { return one.tool.name == asked->name; };
    const auto it = std::ranges::find_if(tools_, named);
    const Asked with{*asked, call.caller, context, shared_};
    auto outcome = co_await it->run(with);
    co_return outcome;
  }
  if (const auto* read = std::get_if<mcp::ReadResource>(&call.work)) {
    co_return read_resource(read->uri, call.caller.era);
  }
  if (std::holds_alternative<mcp::ListResources>(call.work)) co_return list_resources();
  if (const auto* prompt = std::get_if<mcp::GetPrompt>(&call.work)) co_return get_prompt(*prompt);
  if (std::holds_alternative<mcp::Complete>(call.work)) {
    const Json none{
        {"completion", {{"values", {"paris", "park"}}, {"total", 2}, {"hasMore", false}}}};
    co_return mcp::Outcome(none);
  }
  co_return about_task(call.work, shared_.tasks);
}

}  // namespace conformance
