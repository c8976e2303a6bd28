#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed keys …`.
void add_keys_command(CLI::App& app, Command& chosen);

}  // namespace server
