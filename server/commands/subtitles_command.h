#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed subtitles check FILE…`.
void add_subtitles_command(CLI::App& app, Command& chosen);

}  // namespace server
