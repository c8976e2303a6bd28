#include "server/daemon/core.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>
#include <utility>

#include "server/commands/worker_setup.h"
#include "server/device/sandbox_check.h"
#include "server/jobs/owners_turn.h"
#include "server/process/programs.h"
#include "server/store/data_folder.h"
#include "server/store/model_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds housekeeping_interval{60};
constexpr std::chrono::seconds check_interval{10};  // of the default model's files

ModelPool::Settings pool_settings(const Core::Settings& settings, const Programs& programs) {
  const Config::Model& model = settings.config.model;
  ModelPool::Settings pool{.decoder = programs.decoder};
  const int jobs = static_cast<int>(settings.config.jobs.parallel);
  const bool require_sandbox = settings.config.server.require_sandbox;
  pool.find_setup = [device = settings.device, threads = static_cast<int>(model.threads), jobs,
                     require_sandbox](const std::string& name,
                                      const protocol::TranscribeOptions& options) {
    std::vector<std::string> problems;
    auto setup = find_worker_setup({name, threads, options, jobs}, device, problems);
    if (setup) setup->load.require_sandbox = require_sandbox;
    return setup;
  };
  pool.require_sandbox = require_sandbox;
  if (require_sandbox) pool.refusal = sandbox_error(check_sandboxes());
  if (const auto time = parse_keep_alive(model.keep_alive)) pool.keep_alive = *time;
  pool.max_loaded = static_cast<int>(model.max_loaded);
  pool.jobs_per_worker = jobs;
  return pool;
}

protocol::TranscribeOptions default_options(const Config& config) {
  return {.beam_size = static_cast<int>(config.transcription.beam_size),
          .long_form = config.transcription.long_form,
          .vad_filter = config.transcription.vad_filter};
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (!failure) return {};
  return Error{errc::io_error, fmt::format("{}: {}", folder.string(), failure.message()),
               "Name another folder with jobs.state_folder."};
}

// Before anything new can come, since a new file has no job yet: what was left behind has its place
// in the queue, and files that belong to no job go. How many jobs were running.
Result<int> clean_up(JobStore& store, const Spool& spool) {
  auto found = store.recover();
  if (!found) return found;
  const auto used = store.inputs();
  if (!used) return used.error();
  spool.remove_orphans(*used);
  return found;
}

}  // namespace

struct Core::Parts {
  Spool spool;
  Uploads uploads;
  std::unique_ptr<JobStore> store;
  Programs programs;
  int recovered = 0;
};

Result<std::unique_ptr<Core>> Core::open(asio::any_io_executor executor, Log& log,
                                         Settings settings) {
  auto programs = find_programs();
  if (!programs) return programs.error();
  if (const auto made = make_folder(settings.state_folder); !made) return made.error();
  const Config& config = settings.config;
  if (const auto time = parse_keep_alive(config.model.keep_alive); !time) {
    return Error{errc::bad_config, "model.keep_alive: " + time.error().message, time.error().fix};
  }
  // First, because its lock keeps another scribed from what follows.
  auto store =
      open_job_store({.file = settings.state_folder / "jobs.sqlite",
                      .max_attempts = static_cast<int>(config.jobs.max_attempts),
                      .max_running_per_owner = most_running_of_one(
                          static_cast<int>(config.jobs.parallel), settings.has_several_owners),
                      .keep_s = config.jobs.keep_results_s});
  if (!store) return store.error();
  auto spool = Spool::open(settings.state_folder / "inputs");
  if (!spool) return spool.error();
  const auto recovered = clean_up(**store, *spool);
  if (!recovered) return recovered.error();
  const auto upload_bytes = static_cast<std::uint64_t>(config.inputs.max_uploads_bytes);
  auto uploads = Uploads::open({.folder = settings.state_folder / "uploads",
                                .keep_s = config.inputs.upload_keep_s,
                                .max_total_bytes = upload_bytes});
  if (!uploads) return uploads.error();
  Parts parts{*std::move(spool), *std::move(uploads), *std::move(store), *std::move(programs),
              *recovered};
  return std::unique_ptr<Core>(
      new Core(std::move(executor), log, std::move(settings), std::move(parts)));
}

Core::Core(asio::any_io_executor executor, Log& log, Settings settings, Parts parts)
    : executor_(executor),
      log_(log),
      settings_(std::move(settings)),
      paths_(settings_.allow_paths),
      spool_(std::move(parts.spool)),
      uploads_(std::move(parts.uploads)),
      jobs_(
          executor, std::move(parts.store),
          {.max_waiting = static_cast<int>(settings_.config.jobs.max_waiting),
           .max_waiting_per_owner = static_cast<int>(settings_.config.jobs.max_waiting_per_owner)}),
      models_(executor, pool_settings(settings_, parts.programs)),
      fetch_(log, settings_.hub),
      runner_(executor, jobs_, models_,
              {.open_input =
                   [this](const JobRequest& request) {
                     return request.input_is_ours ? open_input(request.input)
                                                  : paths_.open(request.input);
                   },
               .on_store_error =
                   [this](const Error& error) {
                     log_.error("the store of jobs fails", {{"error", error.message}});
                   },
               .parallel = static_cast<int>(settings_.config.jobs.parallel),
               .max_attempts = static_cast<int>(settings_.config.jobs.max_attempts)}),
      services_{.jobs = jobs_,
                .models = models_,
                .paths = paths_,
                .spool = spool_,
                .uploads = uploads_,
                .default_model = settings_.config.model.default_name,
                .options = default_options(settings_.config)},
      housekeeping_(executor),
      recovered_(parts.recovered) {
  const auto& inputs = settings_.config.inputs;
  if (!inputs.url_hosts.empty()) {
    const auto bytes = static_cast<std::uint64_t>(settings_.config.server.max_upload_bytes);
    urls_.emplace(UrlFetcher::Settings{.hosts = inputs.url_hosts, .max_bytes = bytes}, spool_);
    services_.urls = &*urls_;
  }
  jobs_.on_end([this](const Job& job) { ended(job); });
}

Core::~Core() = default;

void Core::on_job_end(std::function<void(const Job&)> told) {
  on_job_end_ = std::move(told);
}

void Core::spawn(asio::awaitable<void> work) {
  asio::co_spawn(executor_, std::move(work), [this](std::exception_ptr failure) {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& thrown) {
      log_.error("work in the background failed", {{"error", thrown.what()}});
    }
  });
}

void Core::start() {
  started_ = true;
  if (recovered_ > 0) log_.info("goes on with jobs of the last run", {{"jobs", recovered_}});
  runner_.start();
  spawn(preload());
  spawn(keep_house());
}

asio::awaitable<void> Core::preload() {
  if (settings_.config.model.pull) {
    std::string wanted = services_.default_model;
    co_await fetch_.run(std::move(wanted));
    checked_ = {};
  }
  for (const auto& model : settings_.config.model.preload) {
    const auto loaded = co_await models_.load(model, {});
    if (loaded) {
      log_.info("model loaded", {{"model", model}, {"device", loaded->device}});
    } else {
      log_.error("model not loaded", {{"model", model}, {"error", loaded.error().message}});
    }
  }
}

asio::awaitable<void> Core::keep_house() {
  while (!jobs_.is_draining()) {
    co_await jobs_.remove_expired();
    uploads_.remove_expired();
    housekeeping_.expires_after(housekeeping_interval);
    boost::system::error_code stopped;
    auto wait = asio::redirect_error(asio::use_awaitable, stopped);
    co_await housekeeping_.async_wait(std::move(wait));
  }
}

void Core::ended(const Job& job) {
  if (job.error && job.state == JobState::failed) {
    log_.warning("job failed", {{"job", job.id},
                                {"model", job.request.model},
                                {"attempts", job.attempts},
                                {"code", job.error->code},
                                {"error", job.error->message}});
  } else {
    log_.info("job ended", {{"job", job.id},
                            {"state", name(job.state)},
                            {"model", job.request.model},
                            {"device", job.summary.device},
                            {"audio_seconds", job.summary.duration},
                            {"seconds", job.finished - job.created}});
  }
  on_job_end_(job);
}

asio::awaitable<void> Core::stop(milliseconds grace) {
  jobs_.drain();
  housekeeping_.cancel();
  if (started_) co_await runner_.stop(grace);
  models_.unload_all();
}

std::string Core::not_ready() {
  if (jobs_.is_draining()) return "scribed is about to end.";
  if (!fetch_.model().empty()) return "The model " + fetch_.model() + " is being fetched.";
  if (const auto trouble = models_.trouble()) {
    return trouble->fix.empty() ? trouble->message : trouble->message + " " + trouble->fix;
  }
  const auto now = steady_clock::now();
  if (now - checked_ < check_interval) return default_problem_;
  checked_ = now;
  const auto model = ModelStore(models_folder()).resolve(services_.default_model);
  default_problem_ = model ? "" : model.error().message + " " + model.error().fix;
  return default_problem_;
}

}  // namespace server
