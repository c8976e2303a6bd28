#include "server/daemon/pool_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "protocol/worker_contract.h"
#include "server/daemon/spool_room.h"
#include "server/device/sandbox_check.h"

namespace server {

Error gateway_has_no_model() {
  return {errc::no_model, "This scribed is a gateway, which has no model.",
          "Live sessions and calls about loaded models need a server with cluster.role = both."};
}

namespace {

// Live sessions leave places for the models that everybody uses, where one owner's session could
// otherwise keep all others from them.
std::set<std::string> models_beside_live(const JobService::Settings& service) {
  if (!service.has_several_owners) return {};
  std::set<std::string> names;
  for (const auto& name : {service.config.model.default_name, service.config.live.model}) {
    if (name.empty()) continue;
    const auto installed = service.sources.models.find_whole(name);
    names.insert(installed ? installed->manifest.name : name);
  }
  return names;
}

}  // namespace

ModelPool::Settings pool_settings(const JobService::Settings& service, const Programs& programs,
                                  Log& log) {
  const Config& config = service.config;
  const SetupSources& sources = service.sources;
  const Config::Model& model = config.model;
  ModelPool::Settings pool{.decoder = programs.decoder};
  const int jobs = static_cast<int>(config.jobs.parallel);
  const int models = static_cast<int>(model.max_loaded);
  const bool require_sandbox = config.server.require_sandbox;
  pool.find_setup = [sources, threads = static_cast<int>(model.threads), jobs, models,
                     require_sandbox, is_shared = service.has_several_owners,
                     min_free = spool_min_free(config.inputs.min_free_bytes, service.state_folder,
                                               worker_spool_folder()),
                     &log](const std::string& name, const protocol::TranscribeOptions& options) {
    std::vector<std::string> problems;
    auto setup = find_worker_setup({name, threads, options, jobs, true, models}, sources, problems);
    if (!setup) return setup;
    setup->load.require_sandbox = require_sandbox;
    setup->spool_min_free = min_free;
    setup->spool_is_shared = is_shared;
    setup->on_load = [&log, name](const protocol::worker::Loaded& loaded) {
      log.info("model loaded", {{"model", name},
                                {"device", loaded.device},
                                {"compute_type", loaded.compute_type},
                                {"notes", fmt::format("{}", fmt::join(loaded.notes, "; "))}});
    };
    return setup;
  };
  pool.require_sandbox = require_sandbox;
  if (config.cluster.is_gateway()) {
    pool.refusal = gateway_has_no_model();
  } else if (require_sandbox) {
    pool.refusal = sandbox_error(check_sandboxes());
  }
  if (const auto time = parse_keep_alive(model.keep_alive)) pool.keep_alive = *time;
  pool.max_loaded = static_cast<int>(model.max_loaded);
  pool.beside_live = models_beside_live(service);
  // JobRunner and LiveServices each keep to their own number, so nobody waits for the others'
  // places.
  constexpr auto spares = static_cast<std::int64_t>(2 * JobRunner::most_spares);
  const auto places = jobs + config.jobs.parallel_for_clients + config.live.max_sessions + spares;
  pool.jobs_per_worker =
      static_cast<int>(std::min<std::int64_t>(places, protocol::worker::max_jobs));
  return pool;
}

}  // namespace server
