#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed version [--json]`: this build and the runtime packs beside it.
void add_version_command(CLI::App& app, Command& chosen);

}  // namespace server
