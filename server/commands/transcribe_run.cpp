#include "server/commands/transcribe_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "server/commands/command.h"
#include "server/commands/device_options.h"
#include "server/commands/stop_signals.h"
#include "server/commands/transcribe_session.h"
#include "server/device/device_plan.h"
#include "server/device/survey.h"
#include "server/process/programs.h"
#include "server/process/race.h"
#include "server/store/data_folder.h"
#include "server/store/model_store.h"

namespace server {
namespace {

// Beams at temperature 0, samples at the others: each has a cache of its own on the device.
int most_rows(const protocol::TranscribeOptions& options) {
  const bool samples = std::ranges::any_of(options.temperatures, [](double t) { return t > 0; });
  return std::max({1, options.beam_size, samples ? options.best_of : 1});
}

void report_problems(const std::vector<std::string>& problems, const std::string& matrix) {
  for (const auto& problem : problems) report_warning(fmt::format("{}: {}", matrix, problem));
}

Result<WorkerSetup> worker_setup(const TranscribeArguments& arguments) {
  const auto model = ModelStore(models_folder()).resolve(arguments.model);
  if (!model) return Error{name(model.error().code), model.error().message, model.error().fix};
  auto request = device_survey(arguments.device, process_environment);
  if (!request) return request.error();
  request->model = {model->name, model->path};
  request->beam_size = most_rows(arguments.options);
  const auto survey = survey_machine(*request);
  if (!survey) return survey.error();
  auto plan = plan_devices(*survey, request->wish.require_gpu);
  if (!plan) return plan.error();
  if (!arguments.quiet) report_problems(survey->matrix.problems, arguments.device.matrix);
  return WorkerSetup{.plan = *std::move(plan),
                     .load = {.model_path = model->path.string(),
                              .model_name = model->name,
                              .compute_type = request->wish.compute_type,
                              .threads = arguments.threads,
                              .flash_attn = request->wish.flash_attn},
                     .cache_file = probe_cache_file()};
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
