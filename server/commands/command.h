#pragma once

#include <functional>
#include <string>

#include "server/error.h"

namespace server {

// What the command line asked for. Each add_…_command() registers its subcommand, whose callback
// puts the work here; main runs it once the whole line has been understood.
using Command = std::function<ExitCode()>;

// Prints "scribed: message" and, where there is one, the fix on a line of its own; to stderr.
// Returns the exit code that belongs to the error.
ExitCode report_error(const Error& error);

// Likewise with `subject`, such as "talk.mp3: ", before the message.
ExitCode report_error(const std::string& subject, const Error& error);

// Prints "scribed: warning: message" to stderr.
void report_warning(const std::string& message);

}  // namespace server
