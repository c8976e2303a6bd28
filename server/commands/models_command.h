#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed models list|pull|import|show|rm`.
void add_models_command(CLI::App& app, Command& chosen);

}  // namespace server
