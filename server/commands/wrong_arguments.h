#pragma once

#include <CLI/App.hpp>

#include "server/base/error.h"

namespace server {

// Returns the error for a line that CLI11 has refused: an option that its command does not have,
// with the nearest one that it has, or else what CLI11 says. A line break in that parts message and
// fix. `app` is the one that has parsed the line.
Error wrong_arguments(const CLI::App& app, const CLI::ParseError& refused);

}  // namespace server
