#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed diarize`.
void add_diarize_command(CLI::App& app, Command& chosen);

}  // namespace server
