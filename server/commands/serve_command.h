#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed serve`.
void add_serve_command(CLI::App& app, Command& chosen);

}  // namespace server
