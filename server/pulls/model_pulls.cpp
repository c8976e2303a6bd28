#include "server/pulls/model_pulls.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <filesystem>
#include <stop_token>

#include "server/base/once_event.h"
#include "server/base/race.h"
#include "server/models/helper_models.h"
#include "server/models/pull.h"
#include "server/models/registry.h"
#include "server/models/staging.h"
#include "server/pulls/fetched_bytes.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds progress_interval{500};

// A pull looks at its stop token every second at the latest.
constexpr std::chrono::milliseconds longest_stop{5'000};

std::string model_name(const std::string& name_or_alias) {
  const auto* registered = find_registered(name_or_alias);
  return registered != nullptr ? registered->name : name_or_alias;
}

Error pull_was_stopped() {
  return {errc::cancelled, "The pull was stopped.",
          "The next download resumes where this one stopped."};
}

// What an interrupted pull has left needs no room any more.
std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code failure;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code ignored;
    const auto size = entry->is_regular_file(ignored) ? entry->file_size(ignored) : 0;
    if (!ignored) bytes += size;
  }
  return bytes;
}

}  // namespace

// It is shared with the thread that fetches, which may end later than everybody who waits.
struct ModelPulls::Pull {
  Pull(asio::any_io_executor executor, const RegisteredModel& registered)
      : model(registered), bytes(registered.total_bytes()), ended(std::move(executor)) {}

  PullState state() const { return {model.name, bytes.done(), bytes.total()}; }

  const RegisteredModel& model;
  FetchedBytes bytes;
  std::stop_source stop{};
  std::atomic<bool> has_begun = false;
  OnceEvent ended;
  std::optional<Error> error{};
};

ModelPulls::ModelPulls(asio::any_io_executor executor, const ModelStore& store, HubAccess hub)
    : executor_(std::move(executor)), store_(store), hub_(std::move(hub)) {}

ModelPulls::~ModelPulls() {
  for (const auto& [name, pull] : running_) pull->stop.request_stop();
}

Result<void> ModelPulls::check(const std::string& name) const {
  const auto installed = store_.find_whole(name);
  if (installed) {
    return Error{server::name(StoreErrc::already_installed),
                 fmt::format("The model {} is installed already.", name),
                 "Use it, or delete it first."};
  }
  const auto* registered = find_registered(name);
  if (registered == nullptr) return to_error(installed.error());
  if (is_pulling(name)) {
    return Error{errc::pull_running, fmt::format("The model {} is already being downloaded.", name),
                 ""};
  }
  if (running_.size() >= most) {
    return Error{errc::too_many_pulls, fmt::format("{} models are already being downloaded.", most),
                 "Try again when one of them is there."};
  }
  const auto total = registered->total_bytes();
  const auto here = bytes_below(partial_folder(store_.root()) / name);
  if (!total || *total <= here) return {};
  const auto room = require_space(store_.root(), *total - here);
  if (!room) return to_error(room.error());
  return {};
}

Result<PullState> ModelPulls::start(const std::string& name_or_alias) {
  const std::string name = model_name(name_or_alias);
  if (const auto fine = check(name); !fine) return fine.error();
  const auto pull = std::make_shared<Pull>(executor_, *find_registered(name));
  running_.emplace(name, pull);
  asio::co_spawn(executor_, run(pull), [this, pull](std::exception_ptr failure) {
    // Nothing is left to tell where the executor itself is ending.
    if (failure) end(pull, Error{errc::internal, "The pull failed in scribed itself.", ""});
  });
  return pull->state();
}

asio::awaitable<Result<void>> ModelPulls::pull(std::string name_or_alias) {
  const std::string name = model_name(name_or_alias);
  if (!is_pulling(name)) {
    if (const auto started = start(name); !started) co_return started.error();
  }
  const PullPointer pull = running_.find(name)->second;
  co_await pull->ended.wait();
  if (pull->error) co_return *pull->error;
  co_return Result<void>();
}

asio::awaitable<Result<void>> ModelPulls::stop(std::string name_or_alias) {
  const auto found = running_.find(model_name(name_or_alias));
  if (found == running_.end()) {
    co_return Error{errc::no_pull,
                    fmt::format("The model {} is not being downloaded.", name_or_alias), ""};
  }
  const PullPointer pull = found->second;
  pull->stop.request_stop();
  if (!pull->has_begun) {
    end(pull, pull_was_stopped());
    co_return Result<void>();
  }
  auto waiting = [](PullPointer stopped) -> asio::awaitable<Elapsed> {
    co_await stopped->ended.wait();
    co_return Elapsed{};
  }(pull);
  co_await within(longest_stop, std::move(waiting));
  co_return Result<void>();
}

std::optional<PullState> ModelPulls::state_of(std::string_view model) const {
  const auto found = running_.find(model);
  if (found == running_.end()) return std::nullopt;
  return found->second->state();
}

asio::awaitable<void> ModelPulls::run(PullPointer pull) {
  auto fetching = fetch(pull);
  auto telling = tell_progress(pull);
  auto winner = co_await race(std::move(fetching), std::move(telling));
  const Result<bool> fetched = std::get<0>(std::move(winner));
  const bool is_installed = fetched.has_value();
  std::optional<Error> error;
  if (!is_installed) error = fetched.error();
  end(pull, std::move(error));
  const bool transcribes = pull->model.use == ModelUse::transcription;
  if (is_installed && transcribes) co_await fetch_vad_along();
}

asio::awaitable<Result<bool>> ModelPulls::fetch(PullPointer pull) {
  std::function<Result<bool>(std::stop_token)> work =
      [pull, &store = store_, hub = hub_](const std::stop_token& nobody_waits) -> Result<bool> {
    const std::stop_callback at_the_end(nobody_waits, [&pull] { pull->stop.request_stop(); });
    pull->has_begun = true;
    if (pull->stop.stop_requested()) return pull_was_stopped();
    const Observer observer{
        .progress = [&pull](const PullProgress& progress) { pull->bytes.add(progress); },
        .note = [&pull](const std::string&) { pull->bytes.begin_anew(); },
        .stop = pull->stop.get_token()};
    const auto pulled = server::pull(store, pull->model, {.hub = hub}, observer);
    if (pulled) return true;
    if (pulled.error().code == StoreErrc::cancelled) return pull_was_stopped();
    return to_error(pulled.error());
  };
  co_return co_await threads_.run<bool>(std::move(work));
}

// It ends with the fetch, by being cancelled.
asio::awaitable<Result<bool>> ModelPulls::tell_progress(PullPointer pull) {
  std::uint64_t told = 0;
  while (true) {
    co_await sleep_for(progress_interval);
    const PullState state = pull->state();
    if (std::exchange(told, state.done_bytes) == state.done_bytes) continue;
    for (const auto& listener : listeners_) listener.progress(state);
  }
}

// Transcribing works without the model that finds speech, so its failure is told to nobody.
asio::awaitable<void> ModelPulls::fetch_vad_along() {
  const std::string name(vad_model_name);
  if (is_pulling(name) || store_.find_whole(name)) co_return;
  std::function<Result<bool>(std::stop_token)> work =
      [&store = store_, hub = hub_](const std::stop_token& stop) -> Result<bool> {
    const auto pulled = server::pull(store, vad_model(), {.hub = hub}, {.stop = stop});
    return pulled.has_value();
  };
  co_await threads_.run<bool>(std::move(work));
}

void ModelPulls::end(const PullPointer& pull, std::optional<Error> error) {
  const auto found = running_.find(pull->model.name);
  if (found == running_.end() || found->second != pull) return;
  running_.erase(found);
  pull->error = error;
  pull->ended.set();
  for (const auto& listener : listeners_) listener.ended(pull->model.name, error);
}

}  // namespace server
