#include "server/daemon/page_service.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <ctime>
#include <utility>

#include "server/base/race.h"
#include "server/sessions_postgres/postgres_session_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using StatusJson = nlohmann::ordered_json;

constexpr std::chrono::hours house_interval{1};
// How often it is asked what other daemons have changed.
constexpr std::chrono::seconds store_interval{1};

Result<void> put_sessions_aside(const fs::path& file) {
  std::error_code failure;
  for (const char* part : {"-wal", "-shm"}) fs::remove(fs::path(file) += part, failure);
  fs::rename(file, fs::path(file) += ".damaged", failure);
  if (!failure) return {};
  return Error{errc::io_error, file.string() + " cannot be put aside: " + failure.message(),
               "Move it away."};
}

StatusJson loaded_body(const std::vector<LoadedModel>& loaded) {
  StatusJson models = StatusJson::array();
  for (const auto& model : loaded) {
    models.push_back({{"name", model.name},
                      {"device", model.device.empty() ? StatusJson() : StatusJson(model.device)},
                      {"compute_type",
                       model.compute_type.empty() ? StatusJson() : StatusJson(model.compute_type)},
                      {"loading", model.is_loading}});
  }
  return models;
}

Result<PageService::Stored> read_sessions(const fs::path& file) {
  auto store = open_session_store(file);
  if (!store) return store.error();
  auto all = (*store)->changes(0);
  if (!all) return all.error();
  return PageService::Stored{*std::move(store), std::move(all->sessions), std::move(all->shares)};
}

}  // namespace

Result<PageService::Stored> PageService::open(const fs::path& folder, const Config& config,
                                              Log& log) {
  if (config.cluster.is_worker()) return read_sessions({});  // nobody signs in there
  if (!config.cluster.database.empty()) {
    return Stored{.store = open_postgres_session_store({.address = config.cluster.database})};
  }
  const fs::path file = folder / "sessions.sqlite";
  auto stored = read_sessions(file);
  if (stored || stored.error().code != "damaged_store") return stored;
  log.error("sessions and links are lost: people have to sign in again",
            {{"error", stored.error().message}});
  if (const auto aside = put_sessions_aside(file); !aside) return aside.error();
  return read_sessions(file);
}

PageService::PageService(asio::any_io_executor executor, JobService& service, const ApiKeys& keys,
                         Log& log, Stored stored, SetupSources sources)
    : executor_(executor),
      service_(service),
      keys_(keys),
      log_(log),
      calls_(std::move(stored.store)),
      sessions_(calls_, std::move(stored.sessions)),
      shares_(calls_, std::move(stored.shares)),
      client_secrets_(calls_),
      events_(executor, service.jobs(), [this] { return status(); }),
      doctor_(std::move(sources), service.services().default_model) {
  listen();
}

void PageService::listen() {
  service_.jobs().on_change([this](const JobNotice& change) {
    events_.job_changed(change);
    if (change.kind != JobNotice::Kind::removed) return;
    asio::co_spawn(executor_, forget_links(change.id), asio::detached);
  });
  shares_.on_stored([this](Shares::Stored stored) {
    service_.services().spool.room().set_stored(DiskRoom::Kind::links, std::move(stored));
  });
  service_.on_jobs_expired([this] { events_.jobs_changed(); });
  service_.pulls().add_listener(
      {.progress = [this](const PullState& state) { events_.pull_changed(state); },
       .ended = [this](const std::string& model,
                       const std::optional<Error>& error) { events_.pull_ended(model, error); }});
  calls_.on_changes([this](const SessionChanges& changes) {
    if (changes.are_all || !changes.ended_sessions.empty()) on_sessions_ended_();
  });
}

// Links to a job that is gone take space until their time comes, if the disk is too full for this.
asio::awaitable<void> PageService::forget_links(std::string job) {
  auto removing = shares_.remove_of_job(std::move(job));
  co_await std::move(removing);
}

void PageService::start(std::function<void()> on_sessions_ended) {
  on_sessions_ended_ = std::move(on_sessions_ended);
  asio::co_spawn(executor_, events_.run(), asio::detached);
  asio::co_spawn(executor_, keep_house(), asio::detached);
  if (calls_.is_shared()) asio::co_spawn(executor_, follow_store(), asio::detached);
}

// Hears what other daemons have ended. The log tells of an outage once. When nobody knows any more
// who has been signed out, what is answered for a while has to end, too.
asio::awaitable<void> PageService::follow_store() {
  bool fails = false, was_outdated = false;
  while (true) {
    auto catching_up = calls_.catch_up();
    const auto caught_up = co_await std::move(catching_up);
    if (!caught_up && !fails) {
      log_.error("the store of sessions fails", {{"error", caught_up.error().message}});
    }
    fails = !caught_up;
    const bool is_outdated = calls_.is_outdated();
    if (is_outdated && !was_outdated) on_sessions_ended_();
    was_outdated = is_outdated;
    co_await sleep_for(store_interval);
  }
}

EventHub::Status PageService::status() const {
  const auto problem = service_.not_ready();
  const StatusJson everybody{{"type", "status"},   {"ready", !problem},  {"problem", nullptr},
                             {"waiting", nullptr}, {"running", nullptr}, {"loaded", nullptr}};
  StatusJson operators = everybody;
  if (problem) operators["problem"] = problem->why;
  operators["waiting"] = service_.jobs().waiting();
  operators["running"] = service_.jobs().running();
  operators["loaded"] = loaded_body(service_.models().loaded());
  return {std::move(operators), everybody};
}

// Sessions and links that have ended are refused by their time; this only forgets them. With a
// wrong clock it would forget those that have not.
asio::awaitable<void> PageService::keep_house() {
  while (true) {
    if (clock_.is_settled()) co_await forget_ended(static_cast<double>(std::time(nullptr)));
    co_await sleep_for(house_interval);
  }
}

asio::awaitable<void> PageService::forget_ended(double now) {
  auto removing = sessions_.remove_ended(keys_, now);
  const auto sessions = co_await std::move(removing);
  auto removing_links = shares_.remove_ended(now);
  const auto links = co_await std::move(removing_links);
  client_secrets_.remove_ended(now);
  for (const auto* done : {&sessions, &links}) {
    if (!*done) log_.error("the store of sessions fails", {{"error", done->error().message}});
  }
}

}  // namespace server
