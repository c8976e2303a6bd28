#include "server/commands/setup_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "platform/runtime_pack.h"
#include "server/commands/owner_rights.h"
#include "server/commands/replaced_file.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/hosts/host_settings.h"
#include "server/log/escaped_text.h"
#include "server/models/manifest.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr char setup_footer[] =
    R"(Shows the change and asks before it writes. The rest of the file is not changed,
and the old file is kept next to it. JSON with comments is not changed: the lines
to add are printed. Arguments after -- are passed on:
scribed setup mcp claude -- --model small)";

struct SetupArguments {
  std::string host{};
  std::vector<std::string> more{};
  bool project = false;
  bool yes = false;
  bool print = false;
};

// Returns the path by which this program is found, which stays right when an update replaces it.
fs::path own_program() {
  const fs::path own = platform::program_file();
  const std::string folders = process_environment("PATH");
  for (std::size_t at = 0; at < folders.size();) {
    const auto end = std::min(folders.find(':', at), folders.size());
    const fs::path candidate = fs::path(folders.substr(at, end - at)) / "scribed";
    std::error_code ignored;
    if (candidate.is_absolute() && fs::equivalent(candidate, own, ignored)) return candidate;
    at = end + 1;
  }
  return own;
}

Result<std::string> read_settings(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error) && !error) return std::string();
  if (fs::is_regular_file(file, error)) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream) return text;
  }
  return Error{errc::input_unreadable, "the settings " + file.string() + " cannot be read", ""};
}

void show_change(const fs::path& file, std::string_view before, std::string_view after) {
  fmt::print("{}{}:\n", printable_line(file.string()), before.empty() ? " (new)" : "");
  std::string change = shown_change(before, after);
  for (std::size_t at = 0; at < change.size();) {
    const auto end = std::min(change.find('\n', at), change.size());
    fmt::print("  {}\n", printable_line(std::string_view(change).substr(at, end - at)));
    at = end + 1;
  }
  std::fflush(stdout);
}

bool is_agreed() {
  fmt::print("Write this? [y/N] ");
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Error settings_not_written(const fs::path& file, int error_number) {
  return {error_number == ENOSPC ? errc::out_of_disk : errc::output_not_writable,
          "cannot write " + file.string() + ": " + std::strerror(error_number), ""};
}

// Keeps the old file, and returns under which name.
Result<fs::path> keep_old(const fs::path& file) {
  const fs::path kept = fs::path(file) += "." + utc_now() + ".bak";
  std::error_code error;
  fs::copy_file(file, kept, fs::copy_options::overwrite_existing, error);
  if (error) return settings_not_written(kept, error.value());
  return kept;
}

// Writes the settings, unless the host itself has written them while the user was asked.
Result<fs::path> write_settings(const fs::path& file, const std::string& before,
                                const std::string& after) {
  const auto now = read_settings(file);
  if (!now) return now.error();
  if (*now != before) {
    return Error{errc::output_not_writable, file.string() + " has changed meanwhile",
                 "Try again; end the host first if it stays so."};
  }
  std::error_code error;
  fs::path kept;
  if (fs::exists(file, error)) {
    auto copy = keep_old(file);
    if (!copy) return copy.error();
    kept = *std::move(copy);
  } else {
    fs::create_directories(file.parent_path(), error);
  }
  if (const int failed = replace_file(file, after, {.kept = 07777, .fresh = 0644})) {
    return settings_not_written(file, failed);
  }
  return kept;
}

void say_what_is_next(const McpHost& host, const fs::path& kept) {
  fmt::print("Written.{}\n",
             kept.empty() ? "" : " The old settings are " + printable_line(kept.string()) + ".");
  fmt::print("{}\n", host.next);
  if (own_store().list().models.empty()) {
    fmt::print("It needs a model, once: scribed models pull base\n");
  }
}

ExitCode run_setup(const SetupArguments& arguments) {
  const auto host = find_mcp_host(arguments.host);
  if (!host) return report_error(host.error());
  const McpCommand command = mcp_command(own_program(), arguments.more);
  if (arguments.print) {
    fmt::print("{}", lines_to_paste(*host, command));
    return ExitCode::ok;
  }
  std::error_code ignored;
  const auto named =
      settings_file(*host, arguments.project, process_environment, fs::current_path(ignored));
  if (!named) return report_error(named.error());
  if (const auto done = become_owner_of(*named); !done) return report_error(done.error());
  // A link to the file stays one.
  const fs::path real = fs::weakly_canonical(*named, ignored);
  const fs::path& file = real.empty() ? *named : real;
  const auto before = read_settings(file);
  if (!before) return report_error(before.error());
  const auto after = with_scribed(*before, *host, command);
  if (!after) {
    const ExitCode code = report_error(file.string() + ": ", after.error());
    fmt::print("{}", lines_to_paste(*host, command));
    return code;
  }
  if (*after == *before) {
    fmt::print("{} has scribed already, in {}\n", host->title, printable_line(file.string()));
    return ExitCode::ok;
  }
  show_change(file, *before, *after);
  if (!arguments.yes) {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) {
      return report_error({errc::usage, "nothing is written, because nobody can be asked here",
                           "Add --yes to write this, or use a terminal."});
    }
    if (!is_agreed()) {
      fmt::print("Nothing was written.\n");
      return ExitCode::ok;
    }
  }
  const auto kept = write_settings(file, *before, *after);
  if (!kept) return report_error(kept.error());
  say_what_is_next(*host, *kept);
  return ExitCode::ok;
}

}  // namespace

void add_setup_command(CLI::App& app, Command& chosen) {
  auto* setup = app.add_subcommand("setup", "Configure programs that use scribed");
  setup->require_subcommand(1);
  auto* mcp = setup->add_subcommand("mcp", "Add scribed to the settings of an MCP host");
  mcp->footer(setup_footer);
  const auto arguments = std::make_shared<SetupArguments>();
  mcp->add_option("HOST", arguments->host, "claude (Claude Code), vscode, cursor or codex")
      ->check(CLI::IsMember({"claude", "vscode", "cursor", "codex"}))
      ->required();
  mcp->add_option("ARGUMENT", arguments->more, "More arguments for scribed mcp");
  mcp->add_flag("--project", arguments->project,
                "Change the settings of this folder instead of your own");
  mcp->add_flag("--yes,-y", arguments->yes, "Write without asking");
  mcp->add_flag("--print", arguments->print, "Only print the settings");
  mcp->callback([arguments, &chosen] { chosen = [arguments] { return run_setup(*arguments); }; });
}

}  // namespace server
