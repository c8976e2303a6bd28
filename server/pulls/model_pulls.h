#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/models/hub.h"
#include "server/models/model_store.h"

namespace server {

// How far the pull of a model is.
struct PullState {
  std::string model{};
  std::uint64_t done_bytes = 0;
  std::optional<std::uint64_t> total_bytes{};  // nothing: the source has not said it yet
};

// Fetches models on threads of its own while everything else goes on: two at once, a few more wait.
// What was fetched of a pull that is stopped or fails stays on the disk, and the next one goes on
// from there. All calls are on the executor's thread.
class ModelPulls {
 public:
  // Hears of every pull, on the executor's thread.
  struct Listener {
    std::function<void(const PullState&)> progress = [](const PullState&) {};  // twice a second
    // The error is `cancelled` where somebody has stopped it; nothing: the model is installed.
    std::function<void(const std::string& model, const std::optional<Error>&)> ended =
        [](const std::string&, const std::optional<Error>&) {};
  };

  ModelPulls(asio::any_io_executor executor, const ModelStore& store, HubAccess hub);
  ~ModelPulls();

  void add_listener(Listener listener) { listeners_.push_back(std::move(listener)); }

  // Begins to fetch a model, and returns at once. Errors: unknown_model, already_installed,
  // pull_running, too_many_pulls, out_of_disk.
  Result<PullState> start(const std::string& name_or_alias);
  // Fetches a model and returns when it is installed; joins a pull of it that runs. Errors: those
  // of start() and of server::pull().
  asio::awaitable<Result<void>> pull(std::string name_or_alias);
  // Stops a pull, and returns when it has ended, or will in a moment. The error is no_pull.
  asio::awaitable<Result<void>> stop(std::string name_or_alias);

  // Returns how far the pull of a model is; nothing: it is not being fetched.
  std::optional<PullState> state_of(std::string_view model) const;
  bool is_pulling(std::string_view model) const { return running_.contains(model); }

 private:
  static constexpr std::size_t at_once = 2;
  static constexpr std::size_t most = 8;

  struct Pull;
  using PullPointer = std::shared_ptr<Pull>;

  Result<void> check(const std::string& name) const;
  asio::awaitable<void> run(PullPointer pull);
  asio::awaitable<Result<bool>> fetch(PullPointer pull);
  asio::awaitable<Result<bool>> tell_progress(PullPointer pull);
  asio::awaitable<void> fetch_vad_along();
  void end(const PullPointer& pull, std::optional<Error> error);

  asio::any_io_executor executor_;
  const ModelStore& store_;
  HubAccess hub_;
  std::vector<Listener> listeners_{};
  std::map<std::string, PullPointer, std::less<>> running_{};
  BlockingCalls threads_{at_once, 2 * most};  // last: it ends before what its work uses
};

}  // namespace server
