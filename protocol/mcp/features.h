#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// The features of a server, as the program declares them once at its start. Names are the
// specification's.
namespace protocol::mcp {

using Json = nlohmann::json;

struct Implementation {
  std::string name{};
  std::string title{};
  std::string version{};
  std::string description{};
  std::string website_url{};
};

struct ToolAnnotations {
  bool read_only = false;
  bool destructive = true;
  bool idempotent = false;
  bool open_world = true;
};

struct Tool {
  std::string name{};
  std::string title{};
  std::string description{};
  Json input_schema{};   // JSON Schema 2020-12 of an object
  Json output_schema{};  // schema of structuredContent; null: it has none
  ToolAnnotations annotations{};
};

struct PromptArgument {
  std::string name{};
  std::string description{};
  bool required = false;
};

struct Prompt {
  std::string name{};
  std::string title{};
  std::string description{};
  std::vector<PromptArgument> arguments{};
};

struct ResourceTemplate {
  std::string uri_template{};  // RFC 6570
  std::string name{};
  std::string title{};
  std::string description{};
  std::string mime_type{};
};

struct Features {
  Implementation server{};
  std::string instructions{};  // for the model: how to use the tools together
  std::vector<Tool> tools{};
  std::vector<Prompt> prompts{};
  std::vector<ResourceTemplate> resource_templates{};
  bool resources = false;  // listed and read by calls, since they come and go
  bool resource_subscriptions = false;
  bool completions = false;
  bool logging = false;
  bool tasks = false;  // the extension io.modelcontextprotocol/tasks

  const Tool* find_tool(std::string_view name) const;
  const Prompt* find_prompt(std::string_view name) const;
};

// These functions write a feature as `revision` knows it, without later additions.
Json json_of(const Implementation& server, std::string_view revision);
Json json_of(const Tool& tool, std::string_view revision);
Json json_of(const Prompt& prompt, std::string_view revision);
Json json_of(const ResourceTemplate& resource, std::string_view revision);
Json capabilities_of(const Features& features, std::string_view revision);

}  // namespace protocol::mcp
