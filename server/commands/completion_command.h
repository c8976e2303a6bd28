#pragma once

#include <CLI/CLI.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `completion`, which prints a shell's script, and `complete`, which that script calls.
void add_completion_command(CLI::App& app, Command& chosen);

}  // namespace server
