#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/mcp/tools/tool.h"

namespace server {

// A tool's result with the words of scribed apart from those of others. Some hosts show a model
// only `content`, others only `structuredContent`, so each has all that matters.
struct ToolResult {
  std::string words{};               // what scribed says: the first content block
  std::vector<std::string> notes{};  // sentences about the result, in the first block too
  std::string next_step{};           // the call that gives the rest; empty: nothing is left
  // Names and speech of others: a content block each, behind the first one. The fields of
  // `structured` have them, too; empty texts get no block.
  std::vector<std::string> data{};
  Json structured = Json::object();  // gets the fields `notes` and `next_step`
};

Json json_of(ToolResult result);

// Returns how many bytes of a result this is: as JSON, without line feeds.
std::size_t result_size(const Json& json);
// Returns how many bytes the text takes inside of a JSON string.
std::size_t text_size(const std::string& text);

// Returns the properties of `notes` and `next_step` in a JSON Schema.
Json result_properties();

// Returns what a tool's failure tells the model when it has to do with a file: the name stands in a
// block of its own.
Json failure_of(const Error& error, const std::string& file_name);

}  // namespace server
