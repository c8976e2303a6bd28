#include "server/commands/worker_setup.h"

#include <algorithm>
#include <utility>

#include "server/device/device_plan.h"
#include "server/device/survey.h"
#include "server/store/data_folder.h"
#include "server/store/model_store.h"
#include "server/store/vad_model.h"

namespace server {
namespace {

// Beams at temperature 0, samples at the others: each has a cache of its own on the device.
int most_rows(const protocol::TranscribeOptions& options) {
  const bool samples = std::ranges::any_of(options.temperatures, [](double t) { return t > 0; });
  return std::max({1, options.beam_size, samples ? options.best_of : 1});
}

}  // namespace

Result<WorkerSetup> find_worker_setup(const ModelWish& wish, const DeviceArguments& device,
                                      std::vector<std::string>& problems) {
  const auto model = ModelStore(models_folder()).resolve(wish.model);
  if (!model) return Error{name(model.error().code), model.error().message, model.error().fix};
  auto request = device_survey(device, process_environment);
  if (!request) return request.error();
  request->model = {model->name, model->path};
  request->beam_size = most_rows(wish.options);
  auto survey = survey_machine(*request);
  if (!survey) return survey.error();
  auto plan = plan_devices(*survey, request->wish.require_gpu);
  if (!plan) return plan.error();
  problems = std::move(survey->matrix.problems);
  return WorkerSetup{.plan = *std::move(plan),
                     .load = {.model_path = model->path.string(),
                              .model_name = model->name,
                              .compute_type = request->wish.compute_type,
                              .threads = wish.threads,
                              .flash_attn = request->wish.flash_attn,
                              .vad_path = vad_weights(models_folder()).string()},
                     .cache_file = probe_cache_file()};
}

}  // namespace server
