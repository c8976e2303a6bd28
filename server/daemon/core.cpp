#include "server/daemon/core.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>
#include <utility>

#include "server/base/owners_turn.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/state_folder.h"
#include "server/device/sandbox_check.h"
#include "server/process/programs.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds housekeeping_interval{60};
constexpr std::chrono::seconds check_interval{10};  // of the default model's files

ModelPool::Settings pool_settings(const Core::Settings& settings, const Programs& programs,
                                  Log& log) {
  const Config::Model& model = settings.config.model;
  ModelPool::Settings pool{.decoder = programs.decoder};
  const int jobs = static_cast<int>(settings.config.jobs.parallel);
  const bool require_sandbox = settings.config.server.require_sandbox;
  pool.find_setup = [sources = settings.sources, threads = static_cast<int>(model.threads), jobs,
                     require_sandbox,
                     &log](const std::string& name, const protocol::TranscribeOptions& options) {
    std::vector<std::string> problems;
    auto setup = find_worker_setup({name, threads, options, jobs, true}, sources, problems);
    if (!setup) return setup;
    setup->load.require_sandbox = require_sandbox;
    setup->on_load = [&log, name](const protocol::worker::Loaded& loaded) {
      log.info("model loaded", {{"model", name},
                                {"device", loaded.device},
                                {"compute_type", loaded.compute_type},
                                {"notes", fmt::format("{}", fmt::join(loaded.notes, "; "))}});
    };
    return setup;
  };
  pool.require_sandbox = require_sandbox;
  if (require_sandbox) pool.refusal = sandbox_error(check_sandboxes());
  if (const auto time = parse_keep_alive(model.keep_alive)) pool.keep_alive = *time;
  pool.max_loaded = static_cast<int>(model.max_loaded);
  pool.jobs_per_worker = jobs + static_cast<int>(settings.config.jobs.parallel_for_clients);
  return pool;
}

// How many jobs of one owner may run, as JobQueue::set_most_running() takes it.
struct RunningShares {
  int most = 0;
  int most_waited_for = 0;
};

RunningShares shares_of_one(const Config& config, bool has_several_owners) {
  const auto of = [&](std::int64_t places) {
    return most_running_of_one(static_cast<int>(places), has_several_owners);
  };
  return {.most = of(config.jobs.parallel),
          .most_waited_for = of(config.jobs.parallel_for_clients)};
}

// Before anything new can come, since a new file has no job yet: what was left behind has its place
// in the queue, and files that belong to no job go. How many jobs were running.
Result<int> clean_up(JobStore& store, const Spool& spool) {
  auto found = store.recover();
  if (!found) return found;
  const auto used = store.inputs();
  if (!used) return used.error();
  std::vector<fs::path> files;
  for (const auto& input : *used) {
    files.push_back(input.file);
    spool.adopt(input.file, input.owner);
  }
  spool.remove_orphans(files);
  return found;
}

// A damaged database is put aside and kept, and scribed ends once, so that somebody hears of it.
Error told_of_damage(Error error, const fs::path& folder) {
  if (error.code != "damaged_store") return error;
  const auto aside = put_jobs_aside(folder);
  if (!aside) {
    error.fix =
        aside.error().message + ". Move jobs.sqlite and inputs/ away from " + folder.string() + ".";
    return error;
  }
  error.message += ". The jobs and their recordings are now in " + aside->string();
  error.fix =
      "Start scribed again: it begins without jobs. What can be read of the old ones: "
      "sqlite3 jobs.sqlite .recover";
  return error;
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
  const fs::path& folder = settings.state_folder;
  if (const auto prepared = prepare_state_folder(folder); !prepared) return prepared.error();
  const Config& config = settings.config;
  if (const auto time = parse_keep_alive(config.model.keep_alive); !time) {
    return Error{errc::bad_config, "model.keep_alive: " + time.error().message, time.error().fix};
  }
  const RunningShares shares = shares_of_one(config, settings.has_several_owners);
  // First, because its lock keeps another scribed from what follows.
  auto store = open_job_store({.file = folder / "jobs.sqlite",
                               .max_attempts = static_cast<int>(config.jobs.max_attempts),
                               .max_running_per_owner = shares.most,
                               .max_waited_for_per_owner = shares.most_waited_for,
                               .keep_s = config.jobs.keep_results_s});
  if (!store) return told_of_damage(store.error(), folder);
  const SpoolSettings spool_settings{
      .room = std::make_shared<DiskRoom>(disk_limits(config, folder)),
      .on_failure = [&log](const Error& error) {
        log.error("a file of ours fails", {{"error", error.message}});
      }};
  auto spool = Spool::open(folder / "inputs", spool_settings);
  if (!spool) return spool.error();
  const auto recovered = clean_up(**store, *spool);
  if (!recovered) {
    store->reset();
    return told_of_damage(recovered.error(), folder);
  }
  const auto upload_bytes = static_cast<std::uint64_t>(config.inputs.max_uploads_bytes);
  auto uploads = Uploads::open({.folder = folder / "uploads",
                                .keep_s = config.inputs.upload_keep_s,
                                .max_total_bytes = upload_bytes,
                                .spool = spool_settings});
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
      jobs_(executor, std::move(parts.store),
            {.max_waiting = static_cast<int>(settings_.config.jobs.max_waiting),
             .max_waiting_per_owner = static_cast<int>(settings_.config.jobs.max_waiting_per_owner),
             .remove_input = [this](const std::string& file) { spool_.remove(file); }}),
      models_(executor, pool_settings(settings_, parts.programs, log_)),
      fetch_(log, settings_.sources.models, settings_.hub),
      runner_(
          executor, jobs_, models_,
          {.open_input =
               [this](const JobRequest& request) {
                 if (!request.input_is_ours) return paths_.open(request.input);
                 // The state folder may have been moved since.
                 return open_input(spool_.folder() / fs::path(request.input).filename());
               },
           .is_fetching = [this](const std::string& model) { return fetch_.is_fetching(model); },
           .on_store_error =
               [this](const Error& error) {
                 log_.error("the store of jobs fails", {{"error", error.message}});
               },
           .parallel = static_cast<int>(settings_.config.jobs.parallel),
           .waited = static_cast<int>(settings_.config.jobs.parallel_for_clients),
           .max_attempts = static_cast<int>(settings_.config.jobs.max_attempts)}),
      services_{.jobs = jobs_,
                .models = models_,
                .store = settings_.sources.models,
                .paths = paths_,
                .spool = spool_,
                .uploads = uploads_,
                .disk = disk_,
                .default_model = settings_.config.model.default_name,
                .options = settings_.config.transcription},
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

void Core::set_several_owners(bool are_there) {
  const RunningShares shares = shares_of_one(settings_.config, are_there);
  auto set = [](JobQueue& jobs, RunningShares with) -> asio::awaitable<void> {
    co_await jobs.set_most_running(with.most, with.most_waited_for);
  };
  spawn(set(jobs_, shares));
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
    if (!loaded) {
      log_.error("model not loaded", {{"model", model}, {"error", loaded.error().message}});
    }
  }
}

asio::awaitable<void> Core::keep_house() {
  while (!jobs_.is_draining()) {
    if (clock_.is_settled()) {
      co_await jobs_.remove_expired();
      uploads_.remove_expired();
    }
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

std::optional<NotReady> Core::not_ready() {
  if (jobs_.is_draining()) return NotReady{"scribed is about to end.", "scribed is about to end"};
  if (spool_.room().disk_is_full()) {
    return NotReady{"The disk of " + settings_.state_folder.string() + " is full.",
                    "there is no room for recordings on the disk"};
  }
  constexpr char no_model[] = "the default model is not installed, or cannot be read";
  if (!fetch_.model().empty()) {
    return NotReady{"The model " + fetch_.model() + " is being fetched.", no_model};
  }
  if (const auto trouble = models_.trouble()) {
    const bool has_no_wall = trouble->code == errc::sandbox_missing;
    return NotReady{trouble->fix.empty() ? trouble->message : trouble->message + " " + trouble->fix,
                    has_no_wall
                        ? "a part of the sandbox is missing, which server.require_sandbox asks for"
                        : "a model cannot be loaded now"};
  }
  const auto now = steady_clock::now();
  if (now - checked_ >= check_interval) {
    checked_ = now;
    const auto model = services_.store.resolve(services_.default_model);
    default_problem_ = model ? "" : model.error().message + " " + model.error().fix;
  }
  if (default_problem_.empty()) return std::nullopt;
  return NotReady{default_problem_, no_model};
}

}  // namespace server
