#include "protocol/mcp/features.h"

#include <algorithm>
#include <string_view>

#include "protocol/mcp/revision.h"

namespace protocol::mcp {
namespace {

void add(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

void add_title(Json& object, const std::string& title, std::string_view revision) {
  if (revision >= titles_came) add(object, "title", title);
}

template <class T>
const T* find_named(const std::vector<T>& list, std::string_view name) {
  const auto it = std::ranges::find(list, name, &T::name);
  return it == list.end() ? nullptr : &*it;
}

}  // namespace

const Tool* Features::find_tool(std::string_view name) const {
  return find_named(tools, name);
}

const Prompt* Features::find_prompt(std::string_view name) const {
  return find_named(prompts, name);
}

Json json_of(const Implementation& server, std::string_view revision) {
  Json json{{"name", server.name}, {"version", server.version}};
  add_title(json, server.title, revision);
  if (revision >= newest_legacy) {
    add(json, "description", server.description);
    add(json, "websiteUrl", server.website_url);
  }
  return json;
}

Json json_of(const Tool& tool, std::string_view revision) {
  Json json{{"name", tool.name}, {"inputSchema", tool.input_schema}};
  add(json, "description", tool.description);
  add_title(json, tool.title, revision);
  if (revision >= annotations_came) {
    json["annotations"] = {{"readOnlyHint", tool.annotations.read_only},
                           {"destructiveHint", tool.annotations.destructive},
                           {"idempotentHint", tool.annotations.idempotent},
                           {"openWorldHint", tool.annotations.open_world}};
    add(json["annotations"], "title", tool.title);
  }
  if (revision >= structured_content_came && !tool.output_schema.is_null()) {
    json["outputSchema"] = tool.output_schema;
  }
  return json;
}

Json json_of(const Prompt& prompt, std::string_view revision) {
  Json json{{"name", prompt.name}, {"arguments", Json::array()}};
  add(json, "description", prompt.description);
  add_title(json, prompt.title, revision);
  for (const auto& argument : prompt.arguments) {
    Json one{{"name", argument.name}, {"required", argument.required}};
    add(one, "description", argument.description);
    json["arguments"].push_back(std::move(one));
  }
  return json;
}

Json json_of(const ResourceTemplate& resource, std::string_view revision) {
  Json json{{"uriTemplate", resource.uri_template}, {"name", resource.name}};
  add_title(json, resource.title, revision);
  add(json, "description", resource.description);
  add(json, "mimeType", resource.mime_type);
  return json;
}

Json capabilities_of(const Features& features, std::string_view revision) {
  Json json = Json::object();
  if (!features.tools.empty()) json["tools"] = Json::object();
  if (!features.prompts.empty()) json["prompts"] = Json::object();
  if (features.resources) {
    json["resources"] = {{"subscribe", features.resource_subscriptions}, {"listChanged", true}};
  }
  if (features.completions && revision >= batches_came) json["completions"] = Json::object();
  if (features.logging) json["logging"] = Json::object();
  if (features.tasks && era_of(revision) == Era::modern) {
    json["extensions"] = {{"io.modelcontextprotocol/tasks", Json::object()}};
  }
  return json;
}

}  // namespace protocol::mcp
