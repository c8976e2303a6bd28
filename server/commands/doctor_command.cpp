#include "server/commands/doctor_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "platform/facts/mask_identifiers.h"
#include "protocol/json_text.h"
#include "server/commands/device_options.h"
#include "server/commands/doctor_report.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/device/device_json.h"
#include "server/device/device_summary.h"

namespace server {
namespace {

struct DoctorArguments {
  DeviceArguments device{};
  std::string model = "base";
  int beam_size = 5;
  int batch = 1;
  bool json = false;
};

constexpr char doctor_footer[] =
    R"(The first line names the device that scribed uses and why, or the first problem of
the requested device. User names, host names and serial numbers are masked, so you
can paste the output into a bug report.

Exit code 0: the requested device works; with --device auto the CPU counts.
6: the GPU of --device or --require-gpu cannot be used, or the downloaded
libraries of its pack (scribed packs) are damaged.
SCRIBED_PROBE_SECONDS is the timeout of a vendor's library (15).)";

Result<SurveyRequest> survey_request(const DoctorArguments& arguments) {
  const auto sources = setup_sources(arguments.device);
  auto request = device_survey(sources.device, sources.environment);
  if (!request) return request;
  request->model.name = arguments.model;
  // The model need not be installed: the matrix knows the sizes of all common models.
  if (const auto model = sources.models.resolve(arguments.model)) {
    request->model = {model->name, model->path};
  }
  request->request.batch = arguments.batch;
  request->request.beam_size = arguments.beam_size;
  request->only_what_is_wanted = false;
  return request;
}

Error unknown_model(const std::string& name) {
  return {"unknown_model", fmt::format("'{}' is neither an installed model nor a known one", name),
          "Known are tiny, base, small, medium, large and their variants: scribed models list"};
}

void print_json(const Survey& survey, const platform::ChoiceResult& choice,
                const DoctorChecks& checks) {
  const auto report = doctor_json(survey, choice, checks.sandboxes, checks.packs);
  fmt::print("{}\n", protocol::json::dump(report, 2));
}

void print_report(const Survey& survey, const platform::ChoiceResult& choice,
                  const DoctorChecks& checks) {
  const auto mask = [&survey](const std::string& text) {
    return platform::mask_identifiers(text, survey.system);
  };
  fmt::print("{}", doctor_report(survey, choice, checks,
                                 {.coloured = wants_colour(STDOUT_FILENO, process_environment),
                                  .mask = mask}));
}

bool is_broken(const std::string& pack, const std::vector<PackCheck>& checks) {
  return std::ranges::any_of(
      checks, [&](const PackCheck& check) { return check.pack == pack && !check.problem.empty(); });
}

ExitCode run_doctor(const DoctorArguments& arguments) {
  const auto request = survey_request(arguments);
  if (!request) return report_error(request.error());
  const auto survey = survey_machine(*request);
  if (!survey) return report_error(survey.error());
  if (!survey->request.model) return report_error(unknown_model(arguments.model));
  const auto choice = platform::choose(survey->verdicts, survey->request);
  const DoctorChecks checks{check_sandboxes(), check_packs(survey->packs)};
  if (arguments.json) {
    print_json(*survey, choice, checks);
  } else {
    print_report(*survey, choice, checks);
  }
  const bool works = wanted_works(choice, survey->request.device) &&
                     !is_broken(choice->verdict.pack.name, checks.packs);
  return works ? ExitCode::ok : ExitCode::worker;
}

}  // namespace

void add_doctor_command(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("doctor", "Show which devices work, and what is wrong with others");
  const auto arguments = std::make_shared<DoctorArguments>();
  command->footer(doctor_footer);
  command->add_option("--model", arguments->model, "Check whether this model fits into memory")
      ->type_name("MODEL")
      ->capture_default_str();
  command->add_option("--beam-size", arguments->beam_size, "Number of beams for the memory check")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--batch", arguments->batch, "Number of windows at once for the memory check")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  add_device_options(*command, arguments->device);
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_doctor(*arguments); }; });
}

}  // namespace server
