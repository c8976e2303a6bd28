#include "server/commands/command.h"

#include <fmt/core.h>

#include <cstdio>

namespace server {

ExitCode report_error(const Error& error) {
  return report_error("", error);
}

ExitCode report_error(const std::string& subject, const Error& error) {
  fmt::print(stderr, "scribed: {}{}\n", subject, error.message);
  if (!error.fix.empty()) fmt::print(stderr, "  {}\n", error.fix);
  return exit_code(error.code);
}

void report_warning(const std::string& message) {
  fmt::print(stderr, "scribed: warning: {}\n", message);
}

}  // namespace server
