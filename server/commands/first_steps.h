#pragma once

#include <string>

#include "server/commands/command.h"

namespace server {

// The state of this machine when somebody starts `scribed` without a word.
struct FirstState {
  std::string model{};   // one that is installed; empty: none
  std::string server{};  // where a scribed serve of this machine listens; empty: nowhere
};

// Returns five lines that say what to do next.
std::string first_steps(const FirstState& state);

// Prints them for this machine.
ExitCode print_first_steps();

}  // namespace server
