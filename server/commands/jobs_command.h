#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed jobs …`.
void add_jobs_command(CLI::App& app, Command& chosen);

}  // namespace server
