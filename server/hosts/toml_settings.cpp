#include <toml++/toml.h>

#include "protocol/json_text.h"
#include "server/hosts/host_texts.h"

namespace server {
namespace {

// Returns a basic string of TOML, which JSON's strings are, too.
std::string quoted(const std::string& text) {
  return protocol::json::dump(nlohmann::json(text));
}

std::optional<toml::table> parsed(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

// Returns what stands there under scribed; empty where nothing does.
std::optional<McpCommand> command_in(const toml::table& settings, const McpHost& host) {
  const auto entry = settings[host.key]["scribed"];
  if (!entry) return std::nullopt;
  McpCommand command{entry["command"].value_or(std::string()), {}};
  if (const auto* arguments = entry["args"].as_array()) {
    for (const auto& one : *arguments) command.arguments.push_back(one.value_or(std::string()));
  }
  return command;
}

}  // namespace

std::string toml_lines(const McpHost& host, const McpCommand& command) {
  std::string arguments;
  for (const auto& one : command.arguments) {
    arguments += (arguments.empty() ? "" : ", ") + quoted(one);
  }
  return "[" + host.key + ".scribed]\ncommand = " + quoted(command.program) + "\nargs = [" +
         arguments + "]\n";
}

// A table can be added at the end of any file, so that comments and the order of the rest stay. One
// that is there with other values may have settings that only its user understands.
std::optional<std::string> toml_with_scribed(std::string_view text, const McpHost& host,
                                             const McpCommand& command) {
  const auto before = parsed(text);
  if (!before) return std::nullopt;
  if (const auto there = command_in(*before, host)) {
    if (*there == command) return std::string(text);
    return std::nullopt;
  }
  std::string changed(text);
  if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
  if (!changed.empty()) changed += '\n';
  changed += toml_lines(host, command);
  auto after = parsed(changed);
  if (!after || command_in(*after, host) != command) return std::nullopt;
  return changed;
}

}  // namespace server
