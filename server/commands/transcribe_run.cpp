#include "server/commands/transcribe_run.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "server/commands/command.h"
#include "server/commands/stop_signals.h"
#include "server/commands/transcribe_session.h"
#include "server/commands/worker_setup.h"
#include "server/process/programs.h"
#include "server/process/race.h"

namespace server {
namespace {

Result<WorkerSetup> worker_setup(const TranscribeArguments& arguments) {
  std::vector<std::string> problems;
  auto setup = find_worker_setup({arguments.model, arguments.threads, arguments.options},
                                 arguments.device, problems);
  if (setup && !arguments.quiet) {
    for (const auto& problem : problems) {
      report_warning(fmt::format("{}: {}", arguments.device.matrix, problem));
    }
  }
  return setup;
}

ExitCode exit_code_of_signal(int signal) {
  switch (signal) {
    case SIGINT:
      return ExitCode::interrupted;
    case SIGHUP:
      return ExitCode::hangup;
    default:
      return ExitCode::terminated;
  }
}

asio::awaitable<ExitCode> run_until_stopped(TranscribeSession& session, StopSignals& signals) {
  const auto winner = co_await race(session.run(), signals.next());
  if (winner.index() == 0) co_return std::get<0>(winner);
  session.keep_what_was_decided();
  co_return exit_code_of_signal(std::get<1>(winner));
}

}  // namespace

ExitCode run_transcribe(const TranscribeArguments& arguments) {
  auto outputs = plan_outputs(arguments.inputs, arguments.output, arguments.format);
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
  asio::co_spawn(io, run_until_stopped(session, signals),
                 [&code](std::exception_ptr failure, ExitCode result) {
                   if (failure) std::rethrow_exception(failure);
                   code = result;
                 });
  io.run();
  return code;
}

}  // namespace server
