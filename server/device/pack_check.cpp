#include "server/device/pack_check.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "platform/pack_list.h"
#include "platform/probe/child.h"
#include "platform/shield.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// The limit is long because gigabytes may have to be read from a slow disk.
constexpr std::chrono::seconds start_limit{120};

std::string damage_of(const platform::Pack& pack) {
  const fs::path folder = pack.fetched_to;
  const auto list = platform::read_pack_list(folder / platform::fetched_list_file);
  if (!list) return (folder / platform::fetched_list_file).string() + " cannot be read";
  return platform::first_damage(*list, folder);
}

// Returns the last line that the loader or the worker has written.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == text.npos) return "";
  const std::string lines = text.substr(0, end + 1);
  const auto before = lines.rfind('\n');
  return before == lines.npos ? lines : lines.substr(before + 1);
}

std::string start_problem(const platform::ChildEnd& end) {
  if (!platform::parse_shields(end.out).empty()) return "";
  if (!end.problem.empty()) return "its worker cannot be started: " + end.problem;
  if (end.hung) return "its worker does not answer";
  if (end.signal) return fmt::format("its worker was ended by signal {}", *end.signal);
  const std::string words = last_line(end.error_tail);
  return fmt::format("its worker does not start (exit code {}){}", end.exit_code,
                     words.empty() ? "" : ": " + words);
}

}  // namespace

std::vector<PackCheck> check_packs(const std::vector<platform::Pack>& packs) {
  std::vector<PackCheck> checks;
  std::vector<platform::ChildCommand> commands;
  for (const auto& pack : packs) {
    if (pack.fetched_to.empty()) continue;
    checks.push_back({pack.name, damage_of(pack)});
    commands.push_back({pack.worker, {"--check-sandbox"}, pack.library_path});
  }
  const auto ends = platform::run_children(commands, start_limit);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].problem.empty()) checks[i].problem = start_problem(ends[i]);
  }
  return checks;
}

std::string problem_of_pack(const platform::Pack& pack) {
  const auto checks = check_packs({pack});
  return checks.empty() ? "its libraries are not installed" : checks.front().problem;
}

}  // namespace server
