#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed mcp`: the Model Context Protocol on stdin and stdout.
void add_mcp_command(CLI::App& app, Command& chosen);

}  // namespace server
