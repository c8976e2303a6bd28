#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed transcribe … FILE…`.
void add_transcribe_command(CLI::App& app, Command& chosen);

}  // namespace server
