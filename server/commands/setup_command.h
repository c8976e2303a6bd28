#pragma once

#include <CLI/CLI.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed setup mcp HOST`: writes scribed into the settings of an MCP host.
void add_setup_command(CLI::App& app, Command& chosen);

}  // namespace server
