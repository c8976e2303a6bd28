#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/worker_messages.h"
#include "server/device/device_plan.h"
#include "server/process/worker.h"

namespace server {

struct WorkerSetup {
  DevicePlan plan;
  protocol::worker::Load load;         // the plan adds device, compute type and smoke run
  std::filesystem::path cache_file{};  // remembers smoke runs that passed
  WorkerLimits limits{};
};

// The worker that one model runs in: started and loaded when it is first needed, kept for the
// inputs that follow, and replaced after it died. A GPU that fails at loading is passed over for
// the plan's next device, never without a word: passed_over() names it.
class ModelWorker {
 public:
  ModelWorker(asio::any_io_executor executor, WorkerSetup setup);

  // Starts the process if there is none; loading can wait until there is something to transcribe.
  Result<void> start();

  // A worker with its model loaded. Fails at once after loading has failed before.
  asio::awaitable<Result<Worker*>> ready();

  // What the worker said of the model; nothing before the first time it was loaded.
  const std::optional<protocol::worker::Loaded>& loaded() const { return loaded_; }

  // False also after it was unloaded, or its worker has died.
  bool is_loaded() const { return is_loaded_ && worker_ && worker_->usable(); }

  // Why the model could not be loaded: then no further input can be transcribed either.
  const std::optional<Error>& load_error() const { return load_error_; }

  // The device that it runs on, or is to run on.
  const platform::Verdict& device() const { return setup_.plan.candidates[candidate_].verdict; }
  const std::string& device_reason() const { return reason_; }

  // Cards that are not used, the one that was wanted most first.
  const std::vector<PassedOver>& passed_over() const { return passed_over_; }

  // A job's error with what the worker's last words add to it.
  Error explain(Error error);

  void discard();

 private:
  // Sends the model to the worker that start() has started.
  asio::awaitable<Result<void>> load();
  protocol::worker::Load load_message() const;
  // Goes to the next device after a failure. False: there is none, or it would fail likewise; then
  // load_error() is set.
  bool move_on(const Error& error);
  std::string last_words();

  asio::any_io_executor executor_;
  WorkerSetup setup_;
  std::size_t candidate_ = 0;
  std::string reason_;
  std::vector<PassedOver> passed_over_{};
  std::unique_ptr<Worker> worker_;
  bool is_loaded_ = false;  // worker_ has its model
  std::optional<protocol::worker::Loaded> loaded_{};
  std::optional<Error> load_error_{};
};

// The bytes of a model file, or of all files in a model's folder; 0 where that cannot be told.
std::int64_t model_bytes(const std::filesystem::path& model);

}  // namespace server
