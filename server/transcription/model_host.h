#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "server/transcription/transcription.h"

namespace server {

// Transcribes for whoever asks, one after the other in the order of asking, with one model loaded
// at a time: it is loaded at first use, exchanged when another is asked for, and unloaded when
// nobody has used it for a while. On the thread of the executor.
class ModelHost {
 public:
  // Finds model and devices. Called on a thread of its own, because it may ask drivers.
  using FindSetup = std::function<Result<WorkerSetup>(const std::string& model,
                                                      const protocol::TranscribeOptions& options)>;

  struct Settings {
    std::filesystem::path decoder{};
    FindSetup find_setup{};
    std::chrono::milliseconds keep_loaded{300'000};
  };

  ModelHost(asio::any_io_executor executor, Settings settings);
  ~ModelHost();

  // `waiting` is called once when another transcription has to end first.
  asio::awaitable<Result<void>> transcribe(const std::string& model, TranscriptionRequest request,
                                           protocol::Transcript& transcript,
                                           TranscriptionEvents& events,
                                           std::function<void()> waiting);

  // The model that is loaded, or was last asked for; nullptr: none yet.
  const ModelWorker* worker() const { return worker_ ? &*worker_ : nullptr; }
  const std::string& model() const { return model_; }
  int waiting() const { return static_cast<int>(queue_.size()); }
  bool busy() const { return busy_; }

  // Ends the model's process. The memory is free when this returns.
  void unload();

 private:
  class Turn;
  struct Waiter;

  asio::awaitable<void> wait_for_turn();
  void end_turn();
  asio::awaitable<Result<void>> prepare(const std::string& model,
                                        const protocol::TranscribeOptions& options);

  asio::any_io_executor executor_;
  Settings settings_;
  asio::thread_pool background_{1};
  std::list<Waiter*> queue_{};  // in the order of asking; they live in their coroutines
  asio::steady_timer idle_;
  std::optional<ModelWorker> worker_{};
  std::string model_{};
  bool busy_ = false;  // somebody has the turn, or was just given it
};

}  // namespace server
