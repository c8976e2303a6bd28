#include "server/daemon/job_service.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>
#include <utility>

#include "server/base/race.h"
#include "server/config/model_aliases.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/pool_settings.h"
#include "server/process/programs.h"
#include "server/transcription/known_speakers.h"
#include "server/uploads_postgres/postgres_upload_catalog.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds housekeeping_interval{60};

// A gateway hears no sound: workers keep that of its jobs.
bool keeps_sound_here(const Config& config) {
  return config.jobs.keep_audio && !config.cluster.is_gateway();
}

}  // namespace

Result<std::unique_ptr<JobService>> JobService::open(asio::any_io_executor executor, Log& log,
                                                     Settings settings) {
  auto programs = find_programs();
  if (!programs) return programs.error();
  const Config& config = settings.config;
  if (const auto time = parse_keep_alive(config.model.keep_alive); !time) {
    return Error{errc::bad_config, "model.keep_alive: " + time.error().message, time.error().fix};
  }
  if (const auto aliases = parse_aliases(config.model.aliases); !aliases) return aliases.error();
  auto storage = open_storage(settings.state_folder, config, log);
  if (!storage) return storage.error();
  auto bucket = open_bucket(config, storage->spool, log);
  if (!bucket) return bucket.error();
  return std::unique_ptr<JobService>(new JobService(std::move(executor), log, std::move(settings),
                                                    *programs, *std::move(storage),
                                                    *std::move(bucket)));
}

JobService::JobService(asio::any_io_executor executor, Log& log, Settings settings,
                       const Programs& programs, Storage storage,
                       std::unique_ptr<BucketInputs> bucket)
    : executor_(executor),
      log_(log),
      settings_(std::move(settings)),
      paths_(settings_.allow_paths),
      spool_(std::move(storage.spool)),
      uploads_(std::move(storage.uploads)),
      sounds_(std::move(storage.sounds)),
      lock_(std::move(storage.lock)),
      bucket_(std::move(bucket)),
      jobs_(executor, std::move(storage.jobs),
            {.limits = job_limits(settings_.config),
             .shares = shares_of_one(settings_.config, settings_.has_several_owners),
             .remove_input = [this](const std::string& input) { remove_input(input); },
             .find_sound = [this](const std::string& id) { return sounds_.find(id); },
             // Sound in the bucket is removed by the daemon that hears of it from the database.
             .remove_sound = [this](const std::string& id) { sounds_.remove(id); },
             .check_stored =
                 [this](const std::string& owner, std::uint64_t more) {
                   return spool_.room().check_stored(owner, more);
                 },
             .note_stored =
                 [this](StoredBytes stored) {
                   spool_.room().set_stored(DiskRoom::Kind::jobs, std::move(stored));
                 }}),
      models_(executor, pool_settings(settings_, programs, log_)),
      clip_decoders_(programs.decoder, settings_.config.server.require_sandbox, 1),
      pulls_(executor, settings_.sources.models, settings_.hub),
      fetch_(log, settings_.sources.models, pulls_),
      runner_(executor, jobs_, models_,
              {.open_input = [this](const JobRequest& request) { return open_input(request); },
               .sounds = keeps_sound_here(settings_.config) ? &sounds_ : nullptr,
               .on_sound =
                   [this](const std::string& id) {
                     if (shared_sounds_) shared_sounds_->share_later(id);
                   },
               .is_fetching = std::bind_front(&ModelFetch::is_fetching, &fetch_),
               .check_fetched = std::bind_front(&ModelFetch::check_fetched, &fetch_),
               .on_store_error =
                   [this](const Error& error) {
                     log_.error("the store of jobs fails", {{"error", error.message}});
                   },
               .on_begin = [this](const Job& job,
                                  const protocol::ModelLoaded& model) { begun(job, model); },
               .parallel = static_cast<int>(settings_.config.jobs.parallel),
               .waited = static_cast<int>(settings_.config.jobs.parallel_for_clients),
               .max_attempts = static_cast<int>(settings_.config.jobs.max_attempts)}),
      services_{.jobs = jobs_,
                .models = models_,
                .store = settings_.sources.models,
                .paths = paths_,
                .spool = spool_,
                .uploads = uploads_,
                .sounds = sounds_,
                .keeps_audio = settings_.config.jobs.keep_audio,
                .disk = disk_,
                .texts = texts_,
                .default_model = settings_.config.model.default_name,
                .aliases = parse_aliases(settings_.config.model.aliases).value(),  // see open()
                .options = settings_.config.transcription,
                .read_known_speaker =
                    [this](std::string name, platform::UniqueFd file) {
                      return read_known_speaker(clip_decoders_, std::move(name), std::move(file));
                    }},
      readiness_({jobs_, spool_, fetch_, models_, services_.store}, settings_.state_folder.string(),
                 settings_.config.cluster.is_gateway() ? "" : services_.default_model),
      housekeeping_(executor),
      recovered_(storage.recovered) {
  if (const auto& hosts = settings_.config.inputs.url_hosts; !hosts.empty()) {
    const auto bytes = static_cast<std::uint64_t>(settings_.config.server.max_upload_bytes);
    urls_.emplace(UrlFetcher::Settings{.hosts = hosts, .max_bytes = bytes}, spool_);
    services_.urls = &*urls_;
  }
  services_.works_elsewhere = settings_.config.cluster.is_gateway();
  services_.is_fetching = [this](const std::string& model) { return pulls_.is_pulling(model); };
  if (settings_.config.model.pull_helpers)
    services_.fetch_helper = std::bind_front(&ModelFetch::fetch_helper, &fetch_);
  if (jobs_.is_shared()) {
    shared_sounds_.emplace(executor_, jobs_, sounds_, disk_, bucket_.get(), log_);
    services_.distant_sound = shared_sounds_->distant();
    shared_uploads_.emplace(DatabaseUploads::Parts{
        .catalog = open_postgres_upload_catalog({.address = settings_.config.cluster.database}),
        .here = uploads_,
        .room = spool_.room(),
        .place = {.spool = spool_,
                  .folder = std::move(storage.shared_uploads),
                  .bucket = bucket_.get(),
                  .disk = disk_}});
    services_.shared_uploads = &*shared_uploads_;
  }
  if (bucket_) {
    services_.share_recording = [this](fs::path file) { return bucket_->keep(std::move(file)); };
    sweep_.emplace(*bucket_, jobs_, &*shared_uploads_, spool_, log_);
  }
  jobs_.on_end([this](const Job& job) { ended(job); });
  pulls_.add_listener({.ended = std::bind_front(&JobService::pull_ended, this)});
}

JobService::~JobService() = default;

asio::awaitable<Result<Input>> JobService::open_input(const JobRequest& request) {
  if (!request.input_is_ours) co_return paths_.open(request.input);
  if (BucketInputs::is_reference(request.input)) {
    if (bucket_) co_return co_await bucket_->open(request.input);
    co_return Error{errc::inputs_unavailable,
                    "the recording is in a bucket, and this daemon has none",
                    "Set cluster.objects for all daemons of the database."};
  }
  // The state folder may have been moved since.
  co_return server::open_input(spool_.folder() / fs::path(request.input).filename());
}

void JobService::remove_input(const std::string& input) {
  if (!BucketInputs::is_reference(input)) {
    spool_.remove(input);
  } else if (bucket_) {
    bucket_->remove(input);
  }
}

void JobService::on_job_end(std::function<void(const Job&)> callback) {
  on_job_end_ = std::move(callback);
}

void JobService::spawn(asio::awaitable<void> work) {
  asio::co_spawn(executor_, std::move(work), [this](std::exception_ptr failure) {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& thrown) {
      log_.error("work in the background failed", {{"error", thrown.what()}});
    }
  });
}

void JobService::set_limits(const Config& config, const Owners& owners) {
  jobs_.set_shares(shares_of_one(settings_.config, owners.are_several()));
  runner_.set_owners(owners.names);
  jobs_.set_limits(job_limits(config, owners));
  spool_.room().set_limits(disk_limits(config, settings_.state_folder, owners));
  uploads_.set_max_bytes_of_one(uploads_bytes_of_one(config, owners.are_several()));
  if (urls_) urls_->set_max_bytes(static_cast<std::uint64_t>(config.server.max_upload_bytes));
}

void JobService::start() {
  started_ = true;
  if (recovered_ > 0) log_.info("continues jobs of the last run", {{"jobs", recovered_}});
  if (!settings_.config.cluster.is_gateway()) {
    runner_.start();
    spawn(preload());
  }
  spawn(keep_house());
  spawn(jobs_.follow_others());
  spawn(index_jobs());
}

// Indexes old jobs, and those of which much has changed. A search reads their texts until then.
asio::awaitable<void> JobService::index_jobs() {
  constexpr std::chrono::milliseconds pause{20}, idle{1'000}, pause_after_failure{60'000};
  int old_slices = 0;  // of jobs of an earlier version; -1: all were indexed
  while (!jobs_.is_draining()) {
    const auto more = co_await jobs_.index_next();
    if (!more) log_.error("texts not indexed", {{"error", more.error().message}});
    if (more && *more && old_slices >= 0) ++old_slices;
    if (more && !*more) {
      if (old_slices > 0) log_.info("texts of old jobs indexed", {});
      old_slices = -1;
      if (jobs_.is_shared()) co_return;  // a database has its own index
    }
    co_await sleep_for(!more ? pause_after_failure : *more ? pause : idle);
  }
}

asio::awaitable<void> JobService::preload() {
  if (settings_.config.model.pull) {
    std::string wanted = services_.default_model;
    co_await fetch_.run(std::move(wanted));
  }
  for (const auto& model : settings_.config.model.preload) {
    const auto loaded = co_await models_.load(model, {});
    if (!loaded) {
      log_.error("model not loaded", {{"model", model}, {"error", loaded.error().message}});
    }
  }
}

asio::awaitable<int> JobService::remove_expired_jobs() {
  int removed = 0;
  while (!jobs_.is_draining()) {
    const auto some = co_await jobs_.remove_expired();
    if (!some || *some == 0) break;
    removed += *some;
  }
  co_return removed;
}

asio::awaitable<void> JobService::remove_sounds_without_job() {
  constexpr std::size_t at_once = 50;  // the store answers others in between
  std::function<Result<std::vector<std::string>>(std::stop_token)> work =
      [&sounds = sounds_](std::stop_token) {
        return Result<std::vector<std::string>>(sounds.jobs());
      };
  auto found = co_await disk_.run(own_work, std::move(work));
  if (!found) co_return;
  auto& ids = *found;
  while (!ids.empty() && !jobs_.is_draining()) {
    const auto rest = ids.size() - std::min(at_once, ids.size());
    std::vector<std::string> some(ids.begin() + static_cast<std::ptrdiff_t>(rest), ids.end());
    ids.resize(rest);
    const auto done = co_await jobs_.remove_sounds_without_job(std::move(some));
    if (!done) co_return;
  }
}

// Other daemons remove jobs, too.
asio::awaitable<void> JobService::keep_shared() {
  co_await shared_sounds_->remove_left();
  if (shared_sounds_->is_scan_due()) {
    co_await remove_sounds_without_job();
    if (!bucket_) co_await shared_uploads_->sweep({});
  }
  co_await shared_sounds_->share_the_rest();
  co_await shared_uploads_->tidy_up();
}

asio::awaitable<void> JobService::keep_house() {
  while (!jobs_.is_draining()) {
    if (clock_.is_settled()) {
      const auto removed = co_await remove_expired_jobs();
      if (removed > 0) on_jobs_expired_();
      if (removed > 0 && !shared_sounds_) co_await remove_sounds_without_job();
      while (uploads_.remove_expired() > 0) co_await asio::post(executor_, asio::use_awaitable);
      if (shared_uploads_) co_await shared_uploads_->remove_expired();
      if (sweep_) co_await sweep_->run_if_due();
    }
    if (jobs_.is_shared()) co_await keep_shared();
    jobs_.tidy_up_later();
    housekeeping_.expires_after(housekeeping_interval);
    boost::system::error_code stopped;
    auto wait = asio::redirect_error(asio::use_awaitable, stopped);
    co_await housekeeping_.async_wait(std::move(wait));
  }
}

void JobService::begun(const Job& job, const protocol::ModelLoaded& model) {
  log_.info("job begun", {{"job", job.id},
                          {"key", job.request.owner},
                          {"request_id", job.request.trace.request_id},
                          {"trace_id", job.request.trace.trace_id},
                          {"attempt", job.attempts},
                          {"model", job.request.model},
                          {"device", model.device},
                          {"worker", model.process}});
}

void JobService::ended(const Job& job) {
  if (job.error && job.state == JobState::failed) {
    log_.warning("job failed", {{"job", job.id},
                                {"key", job.request.owner},
                                {"request_id", job.request.trace.request_id},
                                {"trace_id", job.request.trace.trace_id},
                                {"model", job.request.model},
                                {"attempts", job.attempts},
                                {"code", job.error->code},
                                {"error", job.error->message}});
  } else {
    log_.info("job ended", {{"job", job.id},
                            {"key", job.request.owner},
                            {"request_id", job.request.trace.request_id},
                            {"trace_id", job.request.trace.trace_id},
                            {"state", name(job.state)},
                            {"model", job.request.model},
                            {"device", job.summary.device},
                            {"audio_seconds", job.summary.duration},
                            {"seconds", job.finished - job.created}});
  }
  if (shared_sounds_) shared_sounds_->share_later(job.id);
  on_job_end_(job);
}

void JobService::pull_ended(const std::string& model, const std::optional<Error>& error) {
  readiness_.look_again();
  if (!error) return log_.info("model installed", {{"model", model}});
  if (error->code == errc::cancelled) return log_.info("pull stopped", {{"model", model}});
  log_.error("model not fetched",
             {{"model", model}, {"error", error->message}, {"fix", error->fix}});
}

asio::awaitable<void> JobService::stop(milliseconds grace) {
  jobs_.drain();
  housekeeping_.cancel();
  if (started_) co_await runner_.stop(grace);
  models_.unload_all();
  jobs_.stop_following();
}

}  // namespace server
