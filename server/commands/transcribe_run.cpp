#include "server/commands/transcribe_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "server/base/race.h"
#include "server/commands/command.h"
#include "server/commands/interruption.h"
#include "server/commands/surroundings.h"
#include "server/commands/transcribe_session.h"
#include "server/lifecycle/stop_signals.h"
#include "server/process/programs.h"
#include "server/transcription/worker_setup.h"

namespace server {
namespace {

Result<WorkerSetup> worker_setup(const TranscribeArguments& arguments) {
  std::vector<std::string> problems;
  const int jobs = arguments.channels == "split" ? 2 : 1;
  auto setup = find_worker_setup({.model = arguments.model,
                                  .threads = arguments.threads,
                                  .options = arguments.options,
                                  .jobs = jobs,
                                  .only_speakers = arguments.only_speakers},
                                 setup_sources(arguments.device), problems);
  if (setup && !arguments.quiet) {
    for (const auto& problem : problems) {
      report_warning(fmt::format("{}: {}", arguments.device.matrix, problem));
    }
  }
  return setup;
}

Error no_sound_on_stdin() {
  return {errc::usage, "--live reads audio from stdin, which is a terminal",
          "For instance: arecord -q -t raw -f S16_LE -r 16000 -c 1 | scribed transcribe --live -"};
}

// Waits for the signal that stops everything. In a live transcription the first Ctrl-C only ends
// its input.
asio::awaitable<int> stop_signal(TranscribeSession& session, StopSignals& signals, bool live) {
  int signal = co_await signals.next();
  if (live && signal == SIGINT) {
    session.end_input();
    signal = co_await signals.next();
  }
  co_return signal;
}

asio::awaitable<ExitCode> run_until_stopped(TranscribeSession& session, StopSignals& signals,
                                            bool live) {
  const auto winner = co_await race(session.run(), stop_signal(session, signals, live));
  if (winner.index() == 0) co_return std::get<0>(winner);
  session.keep_what_was_decided();
  co_return exit_code_of_signal(std::get<1>(winner));
}

}  // namespace

ExitCode run_transcribe(const TranscribeArguments& arguments) {
  if (arguments.live && arguments.inputs.front() == "-" && ::isatty(STDIN_FILENO) == 1) {
    return report_error(no_sound_on_stdin());
  }
  auto outputs = plan_outputs(arguments.inputs, arguments.output, arguments.formats);
  if (!outputs) return report_error(outputs.error());
  const auto programs = find_programs();
  if (!programs) return report_error(programs.error());
  auto worker = worker_setup(arguments);
  if (!worker) return report_error(worker.error());

  asio::io_context io(1);
  StopSignals signals(io.get_executor());
  TranscribeSession session(io.get_executor(), arguments, *std::move(outputs), programs->decoder,
                            *std::move(worker), signals.fd());
  ExitCode code = ExitCode::internal;
  asio::co_spawn(io, run_until_stopped(session, signals, arguments.live),
                 [&code](std::exception_ptr failure, ExitCode result) {
                   if (failure) std::rethrow_exception(failure);
                   code = result;
                 });
  io.run();
  return code;
}

}  // namespace server
