#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "protocol/worker_messages.h"
#include "server/process/worker.h"

namespace server {

struct WorkerSetup {
  std::filesystem::path program;
  protocol::worker::Load load;
  WorkerLimits limits{};
};

// The worker that one model runs in: started and loaded when it is first needed, kept for the
// inputs that follow, and replaced after it died.
class ModelWorker {
 public:
  ModelWorker(asio::any_io_executor executor, WorkerSetup setup)
      : executor_(std::move(executor)), setup_(std::move(setup)) {}

  // Starts the process if there is none; loading can wait until there is something to transcribe.
  Result<void> start();

  // A worker with its model loaded. Fails at once after loading has failed before.
  asio::awaitable<Result<Worker*>> ready();

  // What the worker said of the model; nothing before the first time it was loaded.
  const std::optional<protocol::worker::Loaded>& loaded() const { return loaded_; }

  // Why the model could not be loaded: then no further input can be transcribed either.
  const std::optional<Error>& load_error() const { return load_error_; }

  void discard();

 private:
  asio::any_io_executor executor_;
  WorkerSetup setup_;
  std::unique_ptr<Worker> worker_;
  bool is_loaded_ = false;  // worker_ has its model
  std::optional<protocol::worker::Loaded> loaded_{};
  std::optional<Error> load_error_{};
};

// The bytes of a model file, or of all files in a model's folder; 0 where that cannot be told.
std::int64_t model_bytes(const std::filesystem::path& model);

}  // namespace server
