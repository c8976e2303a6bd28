#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

void add_database_command(CLI::App& app, Command& chosen);

}  // namespace server
