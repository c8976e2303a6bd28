#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

void add_backup_command(CLI::App& app, Command& chosen);
void add_restore_command(CLI::App& app, Command& chosen);

}  // namespace server
