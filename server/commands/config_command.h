#pragma once

#include <CLI/CLI.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed config show`, `check` and `example`.
void add_config_command(CLI::App& app, Command& chosen);

}  // namespace server
