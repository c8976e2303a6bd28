#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// Returns the error for the first word of a line that should name a subcommand and names none, with
// the nearest one that there is; nothing where no such word is wrong. `words` are those after the
// name of the program.
std::optional<Error> wrong_command(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace server
