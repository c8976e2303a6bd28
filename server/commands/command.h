#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// The work that the command line asked for. Each add_…_command() registers its subcommand, whose
// callback puts the work here; main runs it once the whole line has been parsed.
using Command = std::function<ExitCode()>;

// Returns a name or message as it may be shown on stderr. On a terminal it can neither move the
// cursor nor begin a line that is not its own; for a file or a pipe it stays as it is. Indented
// continuation lines of our own messages stay lines.
std::string shown_on_stderr(std::string_view text);

// Returns what is wrong with $SCRIBED_CPU, which limits the CPU for every command; nothing if it is
// unset or fits.
std::optional<Error> wrong_cpu_level();

// Prints "scribed: message" to stderr and, if there is one, the fix on a line of its own.
// Returns the exit code that belongs to the error.
ExitCode report_error(const Error& error);

// Does the same with `subject`, such as "talk.mp3: ", before the message.
ExitCode report_error(const std::string& subject, const Error& error);

// Warns of each variable of the environment that looks like one of scribed's and is none.
void warn_of_unknown_variables();

// Prints "scribed: warning: message" to stderr.
void report_warning(const std::string& message);

}  // namespace server
