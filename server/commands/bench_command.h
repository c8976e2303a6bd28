#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed bench`: how fast a model is here, and how fast it could be.
void add_bench_command(CLI::App& app, Command& chosen);

}  // namespace server
