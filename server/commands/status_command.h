#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed status` and `scribed ps`.
void add_status_commands(CLI::App& app, Command& chosen);

}  // namespace server
