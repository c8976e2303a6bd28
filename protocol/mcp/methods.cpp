#include <algorithm>
#include <array>
#include <utility>

#include "protocol/mcp/method.h"

namespace protocol::mcp {
namespace {

using jsonrpc::Error;

bool always(const Features&) {
  return true;
}
bool has_tools(const Features& features) {
  return !features.tools.empty();
}
bool has_prompts(const Features& features) {
  return !features.prompts.empty();
}
bool has_resources(const Features& features) {
  return features.resources;
}
bool has_subscriptions(const Features& features) {
  return features.resource_subscriptions;
}
bool has_completions(const Features& features) {
  return features.completions;
}
bool has_logging(const Features& features) {
  return features.logging;
}
bool has_tasks(const Features& features) {
  return features.tasks;
}

Error invalid(std::string message) {
  return {jsonrpc::invalid_params, std::move(message), {}};
}

Checked<std::string> required_text(const Json& params, const char* key) {
  const auto value = params.find(key);
  if (value != params.end() && value->is_string()) return value->get<std::string>();
  return invalid(std::string("params.") + key + " must be a string.");
}

// Returns an object parameter that may be missing.
Checked<Json> optional_object(const Json& params, const char* key) {
  const auto value = params.find(key);
  if (value == params.end()) return jsonrpc::good<Checked<Json>>(Json::object());
  if (value->is_object()) return jsonrpc::good<Checked<Json>>(*value);
  return invalid(std::string("params.") + key + " must be an object.");
}

std::string optional_text(const Json& params, const char* key) {
  const auto value = params.find(key);
  return value != params.end() && value->is_string() ? value->get<std::string>() : "";
}

// Refuses a cursor, because all lists that are known beforehand fit on one page.
Checked<void> check_no_cursor(const Json& params) {
  if (!params.contains("cursor")) return {};
  return invalid("There is no further page. Leave params.cursor out.");
}

template <class T>
Json list_of(const std::vector<T>& items, const std::string& revision) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item, revision));
  return list;
}

Checked<void> check_prompt_arguments(const Prompt& prompt, const Json& arguments) {
  for (const auto& [key, value] : arguments.items()) {
    if (!value.is_string()) return invalid("The argument " + key + " must be a string.");
  }
  for (const auto& argument : prompt.arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return invalid("The prompt " + prompt.name + " needs the argument " + argument.name + ".");
    }
  }
  return {};
}

Checked<Complete> read_completion(const Json& params) {
  const auto reference = params.find("ref");
  const auto argument = params.find("argument");
  if (reference == params.end() || !reference->is_object() || argument == params.end() ||
      !argument->is_object()) {
    return invalid("The field params needs the objects ref and argument.");
  }
  const std::string type = optional_text(*reference, "type");
  if (type != "ref/prompt" && type != "ref/resource")
    return invalid("There is no such params.ref.type. Use ref/prompt or ref/resource.");
  Complete complete{.of = type == "ref/prompt" ? Complete::Of::prompt : Complete::Of::resource};
  auto target = required_text(*reference, type == "ref/prompt" ? "name" : "uri");
  if (!target) return target.error();
  auto name = required_text(*argument, "name");
  if (!name) return name.error();
  complete.reference = *std::move(target);
  complete.argument = *std::move(name);
  complete.value = optional_text(*argument, "value");
  const auto context = params.find("context");
  if (context != params.end() && context->is_object()) {
    const auto arguments = context->find("arguments");
    if (arguments != context->end() && arguments->is_object()) complete.arguments = *arguments;
  }
  return complete;
}

bool is_known(const Features& features, const Complete& asked) {
  if (asked.of == Complete::Of::prompt) return features.find_prompt(asked.reference) != nullptr;
  return std::ranges::find(features.resource_templates, asked.reference,
                           &ResourceTemplate::uri_template) != features.resource_templates.end();
}

}  // namespace

const Connection::Method* Connection::find_method(std::string_view name, Era era) {
  using C = Connection;
  static constexpr std::array methods{
      Method{"initialize", true, false, true, always, &C::initialize},
      Method{"ping", true, false, true, always, &C::ping},
      Method{"logging/setLevel", true, false, false, has_logging, &C::set_log_level},
      Method{"resources/subscribe", true, false, false, has_subscriptions, &C::subscribe},
      Method{"resources/unsubscribe", true, false, false, has_subscriptions, &C::unsubscribe},
      Method{"server/discover", false, true, false, always, &C::discover},
      Method{"subscriptions/listen", false, true, false, always, &C::listen},
      Method{"tasks/get", false, true, false, has_tasks, &C::get_task},
      Method{"tasks/update", false, true, false, has_tasks, &C::update_task},
      Method{"tasks/cancel", false, true, false, has_tasks, &C::cancel_task},
      Method{"tools/list", true, true, false, has_tools, &C::list_tools},
      Method{"tools/call", true, true, false, has_tools, &C::call_tool},
      Method{"prompts/list", true, true, false, has_prompts, &C::list_prompts},
      Method{"prompts/get", true, true, false, has_prompts, &C::get_prompt},
      Method{"resources/list", true, true, false, has_resources, &C::list_resources},
      Method{"resources/templates/list", true, true, false, has_resources, &C::list_templates},
      Method{"resources/read", true, true, false, has_resources, &C::read_resource},
      Method{"completion/complete", true, true, false, has_completions, &C::complete},
  };
  const auto it = std::ranges::find_if(methods, [&](const Method& method) {
    return method.name == name && (era == Era::modern ? method.modern : method.legacy);
  });
  return it == methods.end() ? nullptr : &*it;
}

Actions Connection::refuse(const Incoming& in, const Error& error) const {
  return {Send{jsonrpc::error_message(in.request.id, error), in.request.id}};
}

Actions Connection::answer(const Incoming& in, Json result) const {
  return {answer(in.request.id, in.caller, in.request.method, std::move(result))};
}

Actions Connection::initialize(const Incoming& in) {
  const auto wanted = required_text(in.request.params, "protocolVersion");
  if (!wanted) return refuse(in, wanted.error());
  const auto capabilities = optional_object(in.request.params, "capabilities");
  if (!capabilities) return refuse(in, capabilities.error());
  const auto client = optional_object(in.request.params, "clientInfo");
  if (!client) return refuse(in, client.error());
  legacy_ = {.era = Era::legacy,
             .revision = std::string(negotiate(*wanted)),
             .client = optional_text(*client, "name") + " " + optional_text(*client, "version"),
             .capabilities = *capabilities};
  initialized_ = hears_unasked_ = true;
  Json result{{"protocolVersion", legacy_.revision},
              {"capabilities", capabilities_of(features_, legacy_.revision)},
              {"serverInfo", json_of(features_.server, legacy_.revision)}};
  if (!features_.instructions.empty()) result["instructions"] = features_.instructions;
  return answer(in, std::move(result));
}

Actions Connection::discover(const Incoming& in) {
  Json result{{"supportedVersions", revisions},
              {"capabilities", capabilities_of(features_, in.caller.revision)}};
  if (!features_.instructions.empty()) result["instructions"] = features_.instructions;
  return answer(in, std::move(result));
}

Actions Connection::ping(const Incoming& in) {
  return answer(in, Json::object());
}

Actions Connection::set_log_level(const Incoming& in) {
  const auto level = required_text(in.request.params, "level");
  if (!level) return refuse(in, level.error());
  const auto known = parse_log_level(*level);
  if (!known)
    return refuse(
        in, invalid("There is no log level " + *level + ". Use debug, info, warning or error."));
  legacy_log_level_ = known;
  return answer(in, Json::object());
}

Actions Connection::list_tools(const Incoming& in) {
  if (const auto first = check_no_cursor(in.request.params); !first) {
    return refuse(in, first.error());
  }
  return answer(in, {{"tools", list_of(features_.tools, in.caller.revision)}});
}

Actions Connection::list_prompts(const Incoming& in) {
  if (const auto first = check_no_cursor(in.request.params); !first) {
    return refuse(in, first.error());
  }
  return answer(in, {{"prompts", list_of(features_.prompts, in.caller.revision)}});
}

Actions Connection::list_templates(const Incoming& in) {
  if (const auto first = check_no_cursor(in.request.params); !first) {
    return refuse(in, first.error());
  }
  return answer(in,
                {{"resourceTemplates", list_of(features_.resource_templates, in.caller.revision)}});
}

Actions Connection::list_resources(const Incoming& in) {
  if (!in.request.params.contains("cursor")) return begin(in, ListResources{});
  auto cursor = required_text(in.request.params, "cursor");
  if (!cursor) return refuse(in, cursor.error());
  return begin(in, ListResources{*std::move(cursor)});
}

Actions Connection::read_resource(const Incoming& in) {
  auto uri = required_text(in.request.params, "uri");
  if (!uri) return refuse(in, uri.error());
  auto responses = optional_object(in.request.params, "inputResponses");
  if (!responses) return refuse(in, responses.error());
  return begin(in, ReadResource{*std::move(uri), *std::move(responses),
                                optional_text(in.request.params, "requestState")});
}

Actions Connection::call_tool(const Incoming& in) {
  auto name = required_text(in.request.params, "name");
  if (!name) return refuse(in, name.error());
  if (!features_.find_tool(*name))
    return refuse(in, invalid("There is no tool " + *name + ". Call tools/list, which names all."));
  auto arguments = optional_object(in.request.params, "arguments");
  if (!arguments) return refuse(in, arguments.error());
  auto responses = optional_object(in.request.params, "inputResponses");
  if (!responses) return refuse(in, responses.error());
  return begin(in, CallTool{*std::move(name), *std::move(arguments), *std::move(responses),
                            optional_text(in.request.params, "requestState")});
}

Actions Connection::get_prompt(const Incoming& in) {
  auto name = required_text(in.request.params, "name");
  if (!name) return refuse(in, name.error());
  const Prompt* prompt = features_.find_prompt(*name);
  if (!prompt)
    return refuse(in,
                  invalid("There is no prompt " + *name + ". Call prompts/list, which names all."));
  auto arguments = optional_object(in.request.params, "arguments");
  if (!arguments) return refuse(in, arguments.error());
  auto responses = optional_object(in.request.params, "inputResponses");
  if (!responses) return refuse(in, responses.error());
  const auto complete = check_prompt_arguments(*prompt, *arguments);
  if (!complete) return refuse(in, complete.error());
  return begin(in, GetPrompt{*std::move(name), *std::move(arguments), *std::move(responses),
                             optional_text(in.request.params, "requestState")});
}

Actions Connection::complete(const Incoming& in) {
  auto asked = read_completion(in.request.params);
  if (!asked) return refuse(in, asked.error());
  if (!is_known(features_, *asked)) {
    return refuse(in, invalid("There is nothing named " + asked->reference +
                              ". Call prompts/list or resources/templates/list."));
  }
  return begin(in, *std::move(asked));
}

}  // namespace protocol::mcp
