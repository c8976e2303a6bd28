#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/worker_messages.h"
#include "server/base/once_event.h"
#include "server/device/device_plan.h"
#include "server/process/worker.h"

namespace server {

struct WorkerSetup {
  DevicePlan plan;
  protocol::worker::Load load;         // the plan adds device, compute type and smoke run
  std::filesystem::path cache_file{};  // remembers smoke runs that passed
  WorkerLimits limits{};
  std::int64_t spool_min_free = 0;  // as in WorkerProgram
  bool spool_is_shared = false;
  std::function<void(const protocol::worker::Loaded&)> on_load{};  // called after each loading
};

// The worker that one model runs in: started and loaded when it is first needed, shared by all who
// transcribe with the model, and replaced after it died. If a GPU fails at loading, the plan's next
// device is taken, and passed_over() names the one that failed. Made by std::make_shared, because
// loading goes on when the caller that began it leaves.
class ModelWorker : public std::enable_shared_from_this<ModelWorker> {
 public:
  ModelWorker(asio::any_io_executor executor, WorkerSetup setup);
  ModelWorker(const ModelWorker&) = delete;
  ~ModelWorker();

  // Starts the process if there is none; loading can wait until there is something to transcribe.
  Result<void> start();

  // Returns a worker with its model loaded. Several callers may wait for one loading. Fails at once
  // if loading has failed before.
  asio::awaitable<Result<std::shared_ptr<Worker>>> ready();

  // Returns what the worker reported of the model; nothing before it was first loaded.
  const std::optional<protocol::worker::Loaded>& loaded() const { return loaded_; }

  // Returns what the model has of its device's memory, as its worker told it last.
  protocol::DeviceUse use() const { return worker_ ? worker_->use() : protocol::DeviceUse{}; }

  // Returns whether the model is loaded; false also after it was unloaded, or its worker has died.
  bool is_loaded() const { return is_loaded_ && worker_->usable(); }
  bool is_loading() const { return loading_ != nullptr; }

  // Returns why the model could not be loaded: then no further input can be transcribed either.
  const std::optional<Error>& load_error() const { return load_error_; }

  // Returns the device that the model runs on, or will run on.
  const platform::Verdict& device() const { return setup_.plan.candidates[candidate_].verdict; }
  const std::string& device_reason() const { return reason_; }

  // Returns the cards that are not used, the most wanted one first.
  const std::vector<PassedOver>& passed_over() const { return passed_over_; }

  // Returns its device as one that is not used, after this error.
  PassedOver passed_over_after(const Error& error);

  // Returns whether the plan has this device ("cuda:0") and loading on it has failed.
  bool has_failed_on(const std::string& device) const;

  // Returns a job's error with the last lines that the worker wrote.
  Error explain(Error error);

  // The function is called when a worker that was loaded dies or hangs; its jobs learn of it by
  // themselves.
  void on_death(std::function<void(const Error&)> callback) { on_death_ = std::move(callback); }

  // Ends the process with all of its jobs; the next ready() starts another. stop() ends it too, and
  // returns when its memory is free.
  void discard();
  asio::awaitable<void> stop();

 private:
  // A loading in progress, shared by all who wait for it.
  struct Loading {
    explicit Loading(asio::any_io_executor executor) : ended(std::move(executor)) {}
    OnceEvent ended;
    std::optional<Result<std::shared_ptr<Worker>>> result{};
  };

  Result<void> spawn();
  std::shared_ptr<Loading> begin_loading();
  static asio::awaitable<void> load(std::shared_ptr<ModelWorker> self,
                                    std::shared_ptr<Loading> loading);
  void end_loading(Result<std::shared_ptr<Worker>> result);
  void take(protocol::worker::Loaded loaded, bool smoke_run_passed);
  protocol::worker::Load load_message() const;
  // Goes to the next device after a failure. If there is none, or it would fail likewise,
  // load_error() is set.
  void move_on(const Error& error);
  std::string last_words();
  std::shared_ptr<Worker> take_worker();  // hands the worker over to the caller

  asio::any_io_executor executor_;
  WorkerSetup setup_;
  std::size_t candidate_ = 0;
  std::string reason_;
  std::vector<PassedOver> passed_over_{};
  std::shared_ptr<Worker> worker_{};
  std::shared_ptr<Loading> loading_{};
  bool is_loaded_ = false;  // worker_ has the model loaded
  std::optional<protocol::worker::Loaded> loaded_{};
  std::optional<Error> load_error_{};
  std::function<void(const Error&)> on_death_{};
};

// Returns the bytes of a model file, or of all files in a model's folder; 0: unknown.
std::int64_t model_bytes(const std::filesystem::path& model);

}  // namespace server
