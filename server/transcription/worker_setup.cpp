#include "server/transcription/worker_setup.h"

#include <fmt/format.h>

#include <utility>

#include "platform/verdict/finding_codes.h"
#include "protocol/decoding_rows.h"
#include "protocol/worker_contract.h"
#include "server/device/numa_plan.h"
#include "server/device/survey.h"
#include "server/models/helper_models.h"

namespace server {
namespace {

using protocol::worker::parallel_windows;
using protocol::worker::urgent_windows;

bool lacks_memory(const Result<DevicePlan>& plan) {
  if (!plan) return plan.error().code == errc::out_of_memory;
  return plan->passed_over &&
         plan->passed_over->fallback.finding.code == platform::code::memory_too_small;
}

StoreResult<ModelLocation> find_model(const SetupRequest& wanted, const ModelStore& store) {
  if (!wanted.only_speakers) return store.resolve(wanted.model);
  const auto installed = store.find_whole(wanted.model);
  if (!installed) return installed.error();
  return ModelLocation{installed->manifest.name, installed->folder};
}

}  // namespace

int most_windows(const SetupRequest& wanted) {
  return wanted.jobs *
         (wanted.options.long_form == protocol::LongForm::parallel ? parallel_windows : 1);
}

int most_gpu_windows(const SetupRequest& wanted) {
  if (wanted.serves) return protocol::worker::most_gpu_windows + urgent_windows;
  const bool parallel = wanted.options.long_form == protocol::LongForm::parallel;
  return parallel ? protocol::worker::most_gpu_windows : wanted.jobs;
}

Result<DevicePlan> plan_with_room(int windows, const PlanForWindows& plan) {
  auto wanted = plan(windows);
  if (windows <= 1 || !lacks_memory(wanted)) return wanted;
  auto for_one = plan(1);
  if (lacks_memory(for_one) || !for_one) return wanted;
  for_one->reason += fmt::format("; its memory may not do for {} windows at once", windows);
  return for_one;
}

WindowsPlan plan_windows(const SetupRequest& wanted, const PlanForWindows& plan) {
  const int windows = most_windows(wanted);
  if (!wanted.serves) return {windows, plan_with_room(windows, plan)};
  const int in_parallel = wanted.jobs * parallel_windows;
  if (windows < in_parallel) {
    auto wanted = plan(in_parallel + urgent_windows);
    if (!lacks_memory(wanted)) return {in_parallel, std::move(wanted)};
  }
  return {windows, plan_with_room(windows + urgent_windows, plan)};
}

Result<WorkerSetup> find_worker_setup(const SetupRequest& wanted, const SetupSources& sources,
                                      std::vector<std::string>& problems) {
  const auto model = find_model(wanted, sources.models);
  if (!model) return Error{name(model.error().code), model.error().message, model.error().fix};
  auto request = device_survey(sources.device, sources.environment);
  if (!request) return request.error();
  request->model = {model->name, model->path};
  request->probe_cache = sources.probe_cache;
  request->request.beam_size = protocol::decoding_rows(wanted.options);
  const auto plan_for = [&](int windows) -> Result<DevicePlan> {
    request->request.batch = windows;
    auto survey = survey_machine(*request);
    if (!survey) return survey.error();
    problems = std::move(survey->matrix.problems);
    auto plan = plan_devices(*survey);
    if (plan && wanted.has_worker_per_node()) spread_over_nodes(*plan, survey->facts);
    return plan;
  };
  auto [windows, plan] = plan_windows(wanted, plan_for);
  if (!plan) return plan.error();
  return WorkerSetup{.plan = *std::move(plan),
                     .load = {.model_path = model->path.string(),
                              .model_name = model->name,
                              .run_on = {.compute_type = request->request.compute_type,
                                         .threads = wanted.threads,
                                         .flash_attn = request->request.flash_attn},
                              .auxiliary = auxiliary_models(sources.models.root()),
                              .windows = windows,
                              .gpu_windows = most_gpu_windows(wanted),
                              .rows = protocol::decoding_rows(wanted.options),
                              .memory_part = 0.9 / wanted.models},
                     .cache_file = sources.probe_cache};
}

}  // namespace server
