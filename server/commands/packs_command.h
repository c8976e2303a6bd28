#pragma once

#include <CLI/CLI.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed packs`: list, install and remove the libraries of runtime packs for GPUs.
void add_packs_command(CLI::App& app, Command& chosen);

}  // namespace server
