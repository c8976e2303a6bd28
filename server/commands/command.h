#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// What the command line asked for. Each add_…_command() registers its subcommand, whose callback
// puts the work here; main runs it once the whole line has been understood.
using Command = std::function<ExitCode()>;

// A name or message as it may be shown on stderr. On a terminal it can neither move the cursor nor
// begin a line that is not its own; in a file or a pipe it is as it is. What we ourselves continue
// on an indented line stays so.
std::string shown_on_stderr(std::string_view text);

// Prints "scribed: message" and, where there is one, the fix on a line of its own; to stderr.
// Returns the exit code that belongs to the error.
ExitCode report_error(const Error& error);

// Likewise with `subject`, such as "talk.mp3: ", before the message.
ExitCode report_error(const std::string& subject, const Error& error);

// Prints "scribed: warning: message" to stderr.
void report_warning(const std::string& message);

}  // namespace server
