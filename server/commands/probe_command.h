#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed probe KIND [FOLDER]`: the child that asks one vendor's library. Only `doctor`
// itself and surveys use it.
void add_probe_command(CLI::App& app, Command& chosen);

}  // namespace server
