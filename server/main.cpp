// The composition root of `scribed`: names the subcommands and runs the one that was asked for.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "server/base/version.h"
#include "server/commands/backup_command.h"
#include "server/commands/bench_command.h"
#include "server/commands/command.h"
#include "server/commands/completion_command.h"
#include "server/commands/config_command.h"
#include "server/commands/database_command.h"
#include "server/commands/diarize_command.h"
#include "server/commands/doctor_command.h"
#include "server/commands/first_steps.h"
#include "server/commands/health_command.h"
#include "server/commands/help_form.h"
#include "server/commands/jobs_command.h"
#include "server/commands/keys_command.h"
#include "server/commands/mcp_command.h"
#include "server/commands/models_command.h"
#include "server/commands/packs_command.h"
#include "server/commands/probe_command.h"
#include "server/commands/serve_command.h"
#include "server/commands/setup_command.h"
#include "server/commands/status_command.h"
#include "server/commands/submit_command.h"
#include "server/commands/subtitles_command.h"
#include "server/commands/terminal_width.h"
#include "server/commands/transcribe_command.h"
#include "server/commands/typed_words.h"
#include "server/commands/version_command.h"
#include "server/commands/wrong_arguments.h"
#include "server/commands/wrong_command.h"
#include "server/process/init_process.h"

namespace {

constexpr char footer[] = R"(Examples:
  scribed transcribe interview.mp3
  scribed transcribe --format srt --output subtitles/ *.mkv
  ffmpeg -i URL -f wav - | scribed transcribe -
  scribed serve
  scribed models list
  scribed doctor
  scribed bench --batch 1,4

Exit codes: 0 success, 1 internal error, 2 wrong usage or configuration, 3 input
not found or not readable, 4 input cannot be decoded, 5 model, runtime pack or
stored jobs missing or damaged, 6 device or worker failed, 7 out of memory or
disk, 8 output not writable, 75 in use by another program, or no server responds:
try again, 129 hangup, 130 interrupted, 143 terminated.
If an input fails, the others are still processed; the first failure counts.)";

std::size_t help_width() {
  if (::isatty(STDOUT_FILENO) != 1) return 0;
  return static_cast<std::size_t>(server::terminal_width(STDOUT_FILENO));
}

server::ExitCode run(int argc, char** argv) {
  if (const auto wrong = server::wrong_cpu_level()) return server::report_error(*wrong);
  CLI::App app{"Speech-to-text with Whisper models, on your own machine.", "scribed"};
  app.formatter(std::make_shared<server::HelpForm>(help_width()));
  app.require_subcommand(1);
  server::Command chosen;
  server::add_transcribe_command(app, chosen);
  server::add_diarize_command(app, chosen);
  server::add_models_command(app, chosen);
  server::add_packs_command(app, chosen);
  server::add_doctor_command(app, chosen);
  server::add_bench_command(app, chosen);
  server::add_serve_command(app, chosen);
  server::add_health_command(app, chosen);
  server::add_status_commands(app, chosen);
  server::add_submit_command(app, chosen);
  server::add_jobs_command(app, chosen);
  server::add_subtitles_command(app, chosen);
  server::add_keys_command(app, chosen);
  server::add_mcp_command(app, chosen);
  server::add_setup_command(app, chosen);
  server::add_config_command(app, chosen);
  server::add_backup_command(app, chosen);
  server::add_restore_command(app, chosen);
  server::add_database_command(app, chosen);
  server::add_version_command(app, chosen);
  server::add_completion_command(app, chosen);
  server::add_probe_command(app, chosen);
  // Commands have what is set before them, and this would be said of each.
  app.footer(footer);
  // Somebody who types the name alone wants to know how to begin; a script has made a mistake.
  if (argc == 1 && ::isatty(STDOUT_FILENO) == 1) return server::print_first_steps();
  app.set_version_flag("--version", std::string("scribed ") + server::program_version());
  const auto words = server::typed_words({argv + 1, argv + argc});
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 begins at the end
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help) == 0 ? server::ExitCode::ok : server::ExitCode::internal;
  } catch (const CLI::ParseError& wrong) {
    if (const auto error = server::wrong_command(app, words)) {
      return server::report_error(*error);
    }
    return server::report_error(server::wrong_arguments(app, wrong));
  }
  // A shell asks for completions at each key, and a probe is a part of another command.
  if (!app.got_subcommand("complete") && !app.got_subcommand("probe")) {
    server::warn_of_unknown_variables();
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away is an error of the write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // Inherited as ignored, children could not be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  if (::getpid() == 1) {
    if (const auto status = server::run_as_init()) return *status;
  }
  try {
    return static_cast<int>(run(argc, argv));
  } catch (const std::bad_alloc&) {
    return static_cast<int>(server::report_error(
        {server::errc::out_of_memory, "there is not enough memory", "Close other programs."}));
  } catch (const std::exception& unexpected) {
    return static_cast<int>(server::report_error({server::errc::internal, unexpected.what(), ""}));
  }
}
