#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.h"

namespace server {

// Adds `scribed doctor`: what this machine has, what works, and what to do about the rest.
void add_doctor_command(CLI::App& app, Command& chosen);

}  // namespace server
