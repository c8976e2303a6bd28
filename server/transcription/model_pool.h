#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/transcription/crash_guard.h"
#include "server/transcription/keep_alive.h"
#include "server/transcription/listening.h"
#include "server/transcription/place_turns.h"
#include "server/transcription/transcription.h"

namespace server {

class PoolState;

// How a call makes way for others who wait for the place of its model. Both functions are called on
// the executor's thread while the call has the model.
struct GiveWay {
  // Returns whether the call may end now and be made again later without losing much; empty: it
  // keeps the model until it has ended.
  std::function<bool()> is_ready{};
  // Asks the call to end, which it does soon; also one that is not ready, if it is late
  // (place_turns.h).
  std::function<void()> begin{};
  int ended_early = 0;  // how often it was asked so before, and got no further
};

// One device that a model is loaded on, or is being loaded on, with a worker of its own.
struct ModelDevice {
  std::string device{};       // "cpu", "cuda:0", "cpu:1" on a NUMA node
  std::string device_name{};  // "NVIDIA GeForce RTX 3060"; empty: unknown
  std::int64_t memory_bytes = 0;
  bool is_loading = false;
  int jobs = 0;
  protocol::DeviceUse use{};  // as its worker told it last
};

// A model that is loaded, or is being loaded.
struct LoadedModel {
  std::string name{};
  std::string device{};         // that of its first worker: "cpu", "cuda:0", "cpu:1"
  std::string device_name{};    // "NVIDIA GeForce RTX 3060"; empty: unknown
  std::string device_reason{};  // why this device was chosen
  std::string compute_type{};
  std::vector<std::string> shields{};  // the layers of its worker's sandbox
  std::vector<std::string> missing_shields{};
  std::vector<PassedOver> passed_over{};  // cards that are not used, and why
  std::int64_t memory_bytes = 0;          // of all workers
  double load_s = 0;
  bool is_loading = false;
  int jobs = 0;                           // jobs that run or wait for the model
  std::optional<KeepAlive> expires_in{};  // nothing: never, or it is in use
  std::vector<ModelDevice> devices{};     // several where jobs are spread over GPUs or NUMA nodes
};

// Owns the workers: one process for each loaded model and GPU or NUMA node (model_replicas.h),
// started at first use and ended when the model was not used for a while, when another needs its
// place, or when it died or hangs. Several jobs share a worker. Owners take turns for places, and
// the calls of one are served in the order of asking: no call gets a loaded model while an earlier
// one waits for a place. There are three exceptions: any call joins live sessions, a call whose
// client waits joins jobs for which nobody does, while their turn lasts, and so does a call of an
// owner with fewer places than the one who waits. Models whose calls can end and go on later do so
// after a turn (place_turns.h); live sessions leave places. All calls are on the executor's thread.
class ModelPool {
 public:
  // Finds model and devices. It is called on a thread of its own, because it may ask drivers.
  using FindSetup = std::function<Result<WorkerSetup>(const std::string& model,
                                                      const protocol::TranscribeOptions& options)>;

  struct Settings {
    std::filesystem::path decoder{};
    FindSetup find_setup{};
    KeepAlive keep_alive = std::chrono::minutes(5);
    int max_loaded = 1;       // models at once
    int jobs_per_worker = 4;  // jobs beyond that wait
    int max_waiting = 1024;   // calls; further ones are refused with queue_full
    TurnLengths turns{};
    std::chrono::milliseconds look{1'000};  // how often turns are looked at while somebody waits
    // Models for which live sessions of other models leave places, so that no session keeps
    // everybody from them; none: live sessions may take every place.
    std::set<std::string> beside_live{};
    CrashLimits crash{};
    // The time that a card is left alone after its worker has failed while others went on.
    CrashLimits card_failures{.deaths = 1,
                              .window = std::chrono::minutes(10),
                              .first_pause = std::chrono::minutes(1),
                              .last_pause = std::chrono::hours(1)};
    bool require_sandbox = false;  // for decoders; a worker's comes with its setup
    // The error of every call if nothing may be transcribed at all.
    std::optional<Error> refusal{};
  };

  ModelPool(asio::any_io_executor executor, Settings settings);
  ModelPool(const ModelPool&) = delete;
  // Ends all processes. Calls that still run fail or are cancelled; they may outlive the pool, but
  // not the executor.
  ~ModelPool();

  // `waiting` is called once if another transcription has to end first. Where live sessions have
  // every place, a call that a client waits for fails with overloaded. Cancelling the call ends the
  // transcription, but nothing that others share with it. A given keep-alive holds until another
  // call gives one.
  asio::awaitable<Result<void>> transcribe(std::string model, TranscriptionRequest request,
                                           protocol::Transcript& transcript,
                                           protocol::TranscriptSink sink,
                                           std::optional<KeepAlive> keep_alive = {},
                                           std::function<void()> waiting = {},
                                           GiveWay give_way = {});

  // Transcribes live sound, with the same place in the pool as a transcription. It ends when the
  // sound does; cancelling the call ends it at once. Errors: also overloaded, where live sessions
  // of other models have all places but those of Settings::beside_live.
  asio::awaitable<Result<void>> listen(std::string model, LiveSound sound,
                                       protocol::TranscriptSink sink);

  // Starts a decoder for the audio of a live client, with the sandbox and the memory that those of
  // calls have.
  Result<std::unique_ptr<Decoder>> start_decoder(const DecoderOptions& options,
                                                 platform::UniqueFd input);

  asio::awaitable<Result<LoadedModel>> load(std::string model,
                                            std::optional<KeepAlive> keep_alive = {});
  // Ends the process when its jobs have ended, now if there are none. Returns false if the model is
  // not loaded.
  bool unload(const std::string& model);
  void unload_all();

  std::vector<LoadedModel> loaded() const;

  // Returns why a model that should be loaded is not, while the pool tries again: its worker died,
  // or a device failed. Errors of a request or of a model's files are not counted here.
  std::optional<Error> trouble() const;

 private:
  std::shared_ptr<PoolState> state_;  // shared with the calls
};

}  // namespace server
