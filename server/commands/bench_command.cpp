#include "server/commands/bench_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "server/base/race.h"
#include "server/commands/bench_report.h"
#include "server/commands/bench_session.h"
#include "server/commands/bench_transcription.h"
#include "server/commands/device_options.h"
#include "server/commands/surroundings.h"
#include "server/device/survey.h"
#include "server/lifecycle/stop_signals.h"
#include "server/process/programs.h"

namespace server {
namespace {

namespace wire = protocol::worker;

struct BenchArguments {
  std::string recording{};  // empty: only the parts are measured
  std::string model = "base";
  std::string synthetic{};
  std::string model_of{};
  std::vector<int> batches{1, 8};
  int threads = 0;
  double seconds = 2;
  bool json = false;
  bool quiet = false;
  DeviceArguments device{};
};

constexpr char bench_footer[] =
    R"(With a recording: transcribes it several times with the default options and
prints the median. Without one: times the encoder and decoder on noise. A step is
one token of each window of the batch; times are the shortest of many
repetitions. The limits follow from the work and from the measured peak rates of
this machine. With --model-of, they follow from the maker's figures.
SCRIBED_CPU=avx2|avx_vnni|avx512|avx512_vnni|avx512_bf16|amx, on arm64
neon|neon_dotprod|neon_i8mm, limits scribed's CPU kernels to that level in every
command.)";

Result<SurveyedModel> model_to_measure(const BenchArguments& arguments, const ModelStore& store) {
  if (!arguments.synthetic.empty()) return SurveyedModel{arguments.synthetic, {}};
  const auto model = store.resolve(arguments.model);
  if (!model) return Error{name(model.error().code), model.error().message, model.error().fix};
  return SurveyedModel{model->name, model->path};
}

// The settings with which a recording is transcribed.
struct TranscriptionPlan {
  TranscribeArguments arguments{};
  WorkerSetup worker{};
  std::filesystem::path decoder{};
};

struct BenchPlan {
  SurveyedModel model{};
  DevicePlan devices{};
  wire::Bench request{};
  std::optional<TranscriptionPlan> transcription{};
};

Result<std::optional<TranscriptionPlan>> plan_transcription(const BenchArguments& arguments) {
  if (arguments.recording.empty()) return std::optional<TranscriptionPlan>();
  TranscriptionPlan plan;
  plan.arguments.inputs = {arguments.recording};
  if (auto finished = finish_options(plan.arguments); !finished) return finished.error();
  auto programs = find_programs();
  if (!programs) return programs.error();
  plan.decoder = std::move(programs->decoder);
  std::vector<std::string> problems;  // problems of a matrix, which are reported with the parts
  auto worker = find_worker_setup({arguments.model, arguments.threads, plan.arguments.options},
                                  setup_sources(arguments.device), problems);
  if (!worker) return worker.error();
  plan.worker = *std::move(worker);
  return std::optional(std::move(plan));
}

// A card's model is computed by the worker for CPUs, whatever this machine has.
Result<BenchPlan> plan_card_model(const BenchArguments& arguments) {
  const auto sources = setup_sources(arguments.device);
  SurveyRequest request;
  request.request.device.backend = platform::Backend::cpu;
  const auto survey = survey_machine(request);
  if (!survey) return survey.error();
  auto devices = plan_devices(*survey);
  if (!devices) return devices.error();
  wire::Bench bench{.synthetic = arguments.synthetic,
                    .run_on = {.compute_type = arguments.device.request.compute_type},
                    .batches = arguments.batches,
                    .model_of = arguments.model_of};
  return BenchPlan{.model = {arguments.synthetic, {}},
                   .devices = *std::move(devices),
                   .request = std::move(bench),
                   .transcription = {}};
}

Result<BenchPlan> plan_bench(const BenchArguments& arguments) {
  if (!arguments.model_of.empty()) return plan_card_model(arguments);
  const auto sources = setup_sources(arguments.device);
  auto model = model_to_measure(arguments, sources.models);
  if (!model) return model.error();
  auto survey_request = device_survey(sources.device, sources.environment);
  if (!survey_request) return survey_request.error();
  survey_request->model = *model;
  survey_request->probe_cache = sources.probe_cache;
  survey_request->request.batch = arguments.batches.back();
  survey_request->request.beam_size = 1;
  const auto survey = survey_machine(*survey_request);
  if (!survey) return survey.error();
  auto devices = plan_devices(*survey);
  if (!devices) return devices.error();
  auto transcription = plan_transcription(arguments);
  if (!transcription) return transcription.error();
  return BenchPlan{.model = *model,
                   .devices = *std::move(devices),
                   .request = {.model_path = model->path.string(),
                               .synthetic = arguments.synthetic,
                               .run_on = {.compute_type = survey->request.compute_type,
                                          .threads = arguments.threads,
                                          .flash_attn = survey->request.flash_attn},
                               .batches = arguments.batches,
                               .seconds = arguments.seconds},
                   .transcription = *std::move(transcription)};
}

asio::awaitable<Result<BenchFigures>> measure(const BenchPlan& plan) {
  const auto executor = co_await asio::this_coro::executor;
  BenchFigures figures{.model = plan.model.name};
  if (const auto& of = plan.transcription) {
    auto measured = co_await bench_transcription(executor, of->arguments, of->worker, of->decoder,
                                                 plan.request.seconds);
    if (!measured) co_return measured.error();
    figures.transcription = *measured;
  }
  auto parts = co_await run_bench(executor, plan.devices, plan.request);
  if (!parts) co_return parts.error();
  figures.parts = *std::move(parts);
  co_return figures;
}

using Outcome = std::optional<Result<BenchFigures>>;

// Measures; empty if a signal stopped it, whose number is then in `signal`.
asio::awaitable<Outcome> measure_until_stopped(const BenchPlan& plan, StopSignals& signals,
                                               int& signal) {
  auto winner = co_await race(measure(plan), signals.next());
  if (winner.index() == 0) co_return std::get<0>(std::move(winner));
  signal = std::get<1>(winner);
  co_return std::nullopt;
}

ExitCode print(bool json, const Result<BenchFigures>& figures) {
  if (!figures) return report_error(figures.error());
  if (json) {
    fmt::print("{}\n", protocol::json::dump(bench_json(*figures), 2));
  } else {
    fmt::print("{}", bench_report(*figures));
  }
  return ExitCode::ok;
}

ExitCode run(BenchArguments& arguments) {
  std::ranges::sort(arguments.batches);
  const auto plan = plan_bench(arguments);
  if (!plan) return report_error(plan.error());
  if (plan->devices.passed_over) report_warning(warning_of(*plan->devices.passed_over));
  if (!arguments.quiet && arguments.model_of.empty()) {
    fmt::print(stderr, "scribed: measuring {}; other programs make the figures worse\n",
               plan->model.name);
  }
  asio::io_context io(1);
  StopSignals signals(io.get_executor());
  int signal = 0;
  Outcome outcome;
  asio::co_spawn(io, measure_until_stopped(*plan, signals, signal),
                 [&](std::exception_ptr failure, Outcome ended) {
                   if (failure) std::rethrow_exception(failure);
                   outcome = std::move(ended);
                 });
  io.run();
  // The exit codes of signals are those of shells.
  if (!outcome) return static_cast<ExitCode>(128 + signal);
  return print(arguments.json, *outcome);
}

}  // namespace

void add_bench_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand(
      "bench", "Measure the speed of a model on this machine, and the machine's limits");
  const auto arguments = std::make_shared<BenchArguments>();
  BenchArguments& a = *arguments;
  command->footer(bench_footer);
  auto* recording =
      command->add_option("recording", a.recording, "A recording to transcribe")->type_name("FILE");
  auto* model = command->add_option("--model", a.model, "Name of an installed model, or its path")
                    ->capture_default_str();
  auto* synthetic = command
                        ->add_option("--synthetic", a.synthetic,
                                     "Use random weights of this size instead of a model, such as "
                                     "base, large-v3-turbo or large-v3")
                        ->type_name("SIZE")
                        ->excludes(model)
                        ->excludes(recording);
  command
      ->add_option("--model-of", a.model_of,
                   "Do not measure; estimate the time of a GPU from its maker's figures: h100, "
                   "h200, 4090, a10 or l4")
      ->type_name("CARD")
      ->needs(synthetic);
  command
      ->add_option("--batch", a.batches, "Batch sizes (windows decoded together), comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false)  // the next word is FILE
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--threads", a.threads, "CPU threads; 0 is one per physical core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--seconds", a.seconds, "Seconds for each measurement")
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
  command->add_flag("--json", a.json, "Print one JSON object");
  command->add_flag("-q,--quiet", a.quiet,
                    "Print only errors to stderr, and why a GPU is not used");
  add_device_options(*command, a.device);
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace server
