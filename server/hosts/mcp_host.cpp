#include "server/hosts/mcp_host.h"

#include <algorithm>

namespace server {
namespace {

namespace fs = std::filesystem;

// Returns the folder that a variable names, or the one below the home folder; empty without both.
fs::path folder_of(const Environment& environment, const char* variable, const char* in_home) {
  const fs::path own = environment(variable);
  if (own.is_absolute()) return own;
  const fs::path home = environment("HOME");
  if (!home.is_absolute()) return {};
  return *in_home == '\0' ? home : home / in_home;
}

fs::path users_file(const McpHost& host, const Environment& environment) {
  const auto in = [&](const char* variable, const char* in_home, const char* file) {
    const fs::path folder = folder_of(environment, variable, in_home);
    return folder.empty() ? folder : folder / file;
  };
  if (host.name == "claude") return in("CLAUDE_CONFIG_DIR", "", ".claude.json");
  if (host.name == "vscode") return in("XDG_CONFIG_HOME", ".config", "Code/User/mcp.json");
  if (host.name == "codex") return in("CODEX_HOME", ".codex", "config.toml");
  const fs::path home = environment("HOME");
  return home.is_absolute() ? home / ".cursor/mcp.json" : fs::path();
}

const char* file_in_project(const McpHost& host) {
  if (host.name == "claude") return ".mcp.json";
  if (host.name == "vscode") return ".vscode/mcp.json";
  if (host.name == "codex") return ".codex/config.toml";
  return ".cursor/mcp.json";
}

}  // namespace

const std::vector<McpHost>& mcp_hosts() {
  static const std::vector<McpHost> hosts{
      {"claude", "Claude Code", McpHost::Format::json, "mcpServers", true,
       "Restart claude; /mcp lists its servers."},
      {"vscode", "VS Code", McpHost::Format::json, "servers", true,
       "In VS Code: MCP: List Servers, then scribed, Start."},
      {"cursor", "Cursor", McpHost::Format::json, "mcpServers", false,
       "Cursor's settings list it among the MCP servers."},
      {"codex", "Codex", McpHost::Format::toml, "mcp_servers", false,
       "Restart codex; /mcp lists its servers."},
  };
  return hosts;
}

Result<McpHost> find_mcp_host(std::string_view name) {
  const auto host = std::ranges::find(mcp_hosts(), name, &McpHost::name);
  if (host != mcp_hosts().end()) return *host;
  return Error{
      errc::usage, "the MCP host '" + std::string(name) + "' is not known",
      "Known are claude, vscode, cursor and codex; docs/mcp.md has the settings of others."};
}

Result<fs::path> settings_file(const McpHost& host, bool project, const Environment& environment,
                               const fs::path& working_folder) {
  if (project) return working_folder / file_in_project(host);
  fs::path file = users_file(host, environment);
  if (!file.empty()) return file;
  return Error{errc::usage,
               "it is not known where the settings of " + host.title + " are: HOME is not set",
               "Set HOME, or use --project for the settings of this folder."};
}

McpCommand mcp_command(const fs::path& file, const std::vector<std::string>& more) {
  const bool is_in_cache = std::ranges::find(file, fs::path("archive-v0")) != file.end();
  McpCommand command{is_in_cache ? "uvx" : file.string(), {}};
  if (is_in_cache) command.arguments.push_back("scribed");
  command.arguments.push_back("mcp");
  command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  return command;
}

}  // namespace server
