#include "server/commands/command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

#include "platform/cpu.h"
#include "server/config/environment.h"
#include "server/config/known_variables.h"
#include "server/log/escaped_text.h"

namespace server {

std::string shown_on_stderr(std::string_view text) {
  constexpr std::string_view continued = "\n  ";
  if (::isatty(STDERR_FILENO) != 1) return std::string(text);
  std::string shown;
  while (true) {
    const auto end = text.find(continued);
    shown += printable_line(text.substr(0, end));
    if (end == text.npos) return shown;
    shown += continued;
    text.remove_prefix(end + continued.size());
  }
}

std::optional<Error> wrong_cpu_level() {
  const auto fine = platform::check_cpu_level();
  if (fine) return std::nullopt;
  return Error{errc::usage, fine.error().message, fine.error().fix};
}

ExitCode report_error(const Error& error) {
  return report_error("", error);
}

ExitCode report_error(const std::string& subject, const Error& error) {
  fmt::print(stderr, "scribed: {}{}\n", shown_on_stderr(subject), shown_on_stderr(error.message));
  if (!error.fix.empty()) fmt::print(stderr, "  {}\n", shown_on_stderr(error.fix));
  return exit_code(error.code);
}

void warn_of_unknown_variables() {
  for (const auto& unknown : unknown_variables(own_variables())) report_warning(text_of(unknown));
}

void report_warning(const std::string& message) {
  fmt::print(stderr, "scribed: warning: {}\n", shown_on_stderr(message));
}

}  // namespace server
