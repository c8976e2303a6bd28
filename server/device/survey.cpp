#include "server/device/survey.h"

#include <algorithm>
#include <utility>

#include "engine/model_families/inspect.h"
#include "platform/probe/probe.h"
#include "platform/probe/probe_cache.h"
#include "platform/runtime_pack.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using platform::Backend;

Result<platform::LoadedMatrix> load_matrix(const fs::path& file) {
  if (file.empty()) return platform::built_in_matrix();
  auto matrix = platform::load_matrix(file);
  if (!matrix) return Error{errc::usage, matrix.error().message, matrix.error().fix};
  return *std::move(matrix);
}

// A model that is not in the matrix, from the header of its file.
std::optional<platform::ModelRow> read_model_row(const fs::path& path) {
  const auto model = engine::inspect(path);
  if (!model) return std::nullopt;  // the worker will say what is wrong with it
  return platform::ModelRow{.name = path.filename().string(), .size = model->size};
}

std::optional<platform::ModelRow> model_row(const SurveyedModel& model,
                                            const platform::Matrix& matrix) {
  if (const auto* row = matrix.find_model(model.name)) return *row;
  std::error_code ignored;
  if (model.path.empty() || !fs::exists(model.path, ignored)) return std::nullopt;
  return read_model_row(model.path);
}

std::vector<std::string> variable_names(const platform::Matrix& matrix) {
  std::vector<std::string> names;
  for (const auto& variable : matrix.variables) names.push_back(variable.name);
  return names;
}

bool has_devices(const platform::NativeFacts& native, Backend backend) {
  switch (backend) {
    case Backend::cuda:
      return !native.cuda.devices.empty();
    case Backend::rocm:
      return !native.hip.devices.empty();
    default:
      return false;  // there is nothing to load
  }
}

std::vector<platform::Pack> find_packs(const std::vector<fs::path>& fetched) {
  std::vector<platform::Pack> packs;
  for (auto& found : platform::find_runtime_packs(platform::program_folder(), fetched)) {
    const bool is_ready = !found.lacks_libraries();
    packs.push_back(
        {.name = std::move(found.name),
         .worker = found.worker.string(),
         .build = std::move(found.build),
         .library_path = std::move(found.library_path),
         .fetched_to = found.fetched_to.string(),
         .install_command = is_ready ? "" : "scribed packs install " + found.fetched_as});
  }
  return packs;
}

std::vector<fs::path> rocm_folders(const std::vector<platform::Pack>& packs) {
  std::vector<fs::path> folders;
  for (const auto& pack : packs) {
    if (pack.build.backend == Backend::rocm) folders.push_back(fs::path(pack.worker).parent_path());
  }
  return folders;
}

// Asks the libraries. Where there is a folder for it, earlier answers are kept and used.
class Prober {
 public:
  Prober(const SurveyRequest& request, const std::vector<platform::Pack>& packs)
      : settings_{platform::program_file(), request.probe_limit, rocm_folders(packs)},
        cache_(request.probe_cache) {}

  platform::NativeFacts native(const platform::Facts& facts) const {
    return cache_.empty() ? platform::probe_native(facts, settings_)
                          : platform::cached_probe_native(facts, settings_, cache_);
  }
  platform::PackLibraries pack(const platform::Facts& facts, const platform::Pack& pack) const {
    const platform::PackPlace place{fs::path(pack.worker).parent_path(), pack.library_path};
    return cache_.empty() ? platform::probe_pack(place, settings_)
                          : platform::cached_probe_pack(facts, place, settings_, cache_);
  }

 private:
  platform::ProbeSettings settings_;
  fs::path cache_;
};

}  // namespace

Result<Survey> survey_machine(const SurveyRequest& request) {
  auto matrix = load_matrix(request.matrix);
  if (!matrix) return matrix.error();

  Survey survey{.system = platform::System::of_this_process(), .matrix = *std::move(matrix)};
  survey.facts = platform::read_facts(survey.system, variable_names(survey.matrix.matrix));
  survey.packs = find_packs(request.pack_folders);
  if (!request.only_what_is_wanted || request.request.device.backend != Backend::cpu) {
    const Prober prober(request, survey.packs);
    survey.facts.native = prober.native(survey.facts);
    for (auto& pack : survey.packs) {
      if (pack.is_ready() && has_devices(survey.facts.native, pack.build.backend)) {
        pack.libraries = prober.pack(survey.facts, pack);
      }
    }
  }
  survey.request = request.request;
  survey.request.model = model_row(request.model, survey.matrix.matrix);
  survey.verdicts =
      platform::evaluate(survey.facts, survey.matrix.matrix, survey.packs, survey.request);
  return survey;
}

}  // namespace server
