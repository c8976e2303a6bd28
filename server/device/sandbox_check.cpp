#include "server/device/sandbox_check.h"

#include <chrono>

#include "platform/probe/child.h"
#include "platform/runtime_pack.h"

namespace server {
namespace {

// The limit is long because a worker's libraries may have to be read from a slow disk.
constexpr std::chrono::seconds answer_limit{60};

std::string problem_of(const platform::ChildEnd& end) {
  if (!end.problem.empty()) return end.problem;
  if (end.hung) return "it did not answer";
  return "it ended without an answer";
}

}  // namespace

std::vector<SandboxCheck> check_sandboxes() {
  const auto folder = platform::helper_folder(platform::program_folder());
  std::vector<SandboxCheck> checks{{.program = "scribed-decode"}, {.program = "scribed-worker"}};
  std::vector<platform::ChildCommand> commands;
  for (const auto& check : checks)
    commands.push_back({folder / check.program, {"--check-sandbox"}});
  const auto ends = platform::run_children(commands, answer_limit);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    checks[i].shields = platform::parse_shields(ends[i].out);
    if (checks[i].shields.empty()) checks[i].problem = problem_of(ends[i]);
  }
  return checks;
}

std::optional<Error> sandbox_error(const std::vector<SandboxCheck>& checks) {
  constexpr char fix[] =
      "Allow Landlock and seccomp on this machine or in its container (see: scribed doctor), or "
      "set server.require_sandbox to false.";
  for (const auto& check : checks) {
    if (!check.problem.empty()) {
      return Error{errc::sandbox_missing,
                   "the sandbox of " + check.program + " is not known: " + check.problem, fix};
    }
    if (const auto missing = platform::missing(check.shields); !missing.empty()) {
      return Error{errc::sandbox_missing,
                   check.program + " would have to run without " + missing.front(), fix};
    }
  }
  return std::nullopt;
}

}  // namespace server
