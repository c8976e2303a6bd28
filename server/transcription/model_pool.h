#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/transcription/crash_guard.h"
#include "server/transcription/keep_alive.h"
#include "server/transcription/transcription.h"

namespace server {

class PoolState;

// What is known of a model that is loaded, or is being loaded.
struct LoadedModel {
  std::string name{};
  std::string device{};         // "cpu", "cuda:0"
  std::string device_name{};    // "NVIDIA GeForce RTX 3060"; empty where it is not known
  std::string device_reason{};  // why there
  std::string compute_type{};
  std::vector<std::string> shields{};  // of its worker's sandbox
  std::vector<std::string> missing_shields{};
  std::vector<PassedOver> passed_over{};  // cards that are not used, and why
  std::int64_t memory_bytes = 0;
  double load_s = 0;
  bool is_loading = false;
  int jobs = 0;                           // that run or wait for it
  std::optional<KeepAlive> expires_in{};  // nothing: never, or it is in use
};

// The workers: one process for each model that is loaded, started at first use and ended when it
// was not used for a while, when another model needs its place, or when it died or hangs. Several
// jobs share a worker. Who has to wait is served in the order of asking: nobody is given a model
// that is loaded while one who came before waits for a place. But where that model has jobs for
// which nobody waits, which may take hours, a call with somebody behind it joins them: it makes the
// place free no later. On the thread of the executor.
class ModelPool {
 public:
  // Finds model and devices. Called on a thread of its own, because it may ask drivers.
  using FindSetup = std::function<Result<WorkerSetup>(const std::string& model,
                                                      const protocol::TranscribeOptions& options)>;

  struct Settings {
    std::filesystem::path decoder{};
    FindSetup find_setup{};
    KeepAlive keep_alive = std::chrono::minutes(5);
    int max_loaded = 1;       // models at once
    int jobs_per_worker = 4;  // more wait
    int max_waiting = 1024;   // calls; more are refused with queue_full
    CrashLimits crash{};
    bool require_sandbox = false;  // of decoders; a worker's comes with its setup
    // Why nothing is transcribed at all.
    std::optional<Error> refusal{};
  };

  ModelPool(asio::any_io_executor executor, Settings settings);
  ModelPool(const ModelPool&) = delete;
  // Ends all processes. Calls that still run fail or are cancelled; they may outlive the pool, but
  // not the executor.
  ~ModelPool();

  // `waiting` is called once when another transcription has to end first. Cancelling the call ends
  // the transcription, not what others share with it. A keep-alive that was named holds until
  // another call names one.
  asio::awaitable<Result<void>> transcribe(std::string model, TranscriptionRequest request,
                                           protocol::Transcript& transcript,
                                           protocol::TranscriptSink sink,
                                           std::optional<KeepAlive> keep_alive = {},
                                           std::function<void()> waiting = {});

  asio::awaitable<Result<LoadedModel>> load(std::string model,
                                            std::optional<KeepAlive> keep_alive = {});
  // Ends the process when its jobs have ended, now if there are none. False: it is not loaded.
  bool unload(const std::string& model);
  void unload_all();

  std::vector<LoadedModel> loaded() const;

  // Why a model that should be loaded is not, while that is tried again: its worker died, or a
  // device failed. What is wrong with a request or a model's files is no trouble of the pool.
  std::optional<Error> trouble() const;

 private:
  std::shared_ptr<PoolState> state_;  // shared with the calls
};

}  // namespace server
