#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/environment.h"
#include "server/base/error.h"

namespace server {

// A program that starts MCP servers, and the shape of its file of settings.
struct McpHost {
  enum class Format { json, toml };

  std::string name{};   // as people type it: "claude"
  std::string title{};  // "Claude Code"
  Format format = Format::json;
  std::string key{};             // of the object or table of servers: "mcpServers"
  bool names_transport = false;  // an entry has "type": "stdio"
  std::string next{};            // what a user does after the file was written
};

const std::vector<McpHost>& mcp_hosts();

// Finds one by its name. Errors: usage.
Result<McpHost> find_mcp_host(std::string_view name);

// Returns the host's file of settings: the user's own, or with `project` that of the folder in
// which the user is. Errors: usage, where there is no home folder.
Result<std::filesystem::path> settings_file(const McpHost& host, bool project,
                                            const Environment& environment,
                                            const std::filesystem::path& working_folder);

// The command line by which a host starts scribed.
struct McpCommand {
  std::string program{};
  std::vector<std::string> arguments{};

  friend bool operator==(const McpCommand&, const McpCommand&) = default;
};

// Returns the command for the program `file`, which somebody has started as it is: by its whole
// path, because hosts with windows have another PATH than shells. A program in a cache of uv has no
// path that lasts, so uvx finds it.
McpCommand mcp_command(const std::filesystem::path& file, const std::vector<std::string>& more);

}  // namespace server
