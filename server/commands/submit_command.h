#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed submit … FILE…`.
void add_submit_command(CLI::App& app, Command& chosen);

}  // namespace server
