#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "engine/live/live_wishes.h"
#include "engine/worker/worker_model.h"
#include "platform/unique_fd.h"

namespace engine {

// Sends one message to the daemon; safe to call from any thread.
using SendMessage = std::function<void(const protocol::worker::Message&)>;

// Runs one transcription on a thread of its own, from the pipe to Done or Failed. Destroying it
// cancels and waits, a step of the decoder at most.
class TranscriptionJob {
 public:
  TranscriptionJob(protocol::worker::Transcribe request, platform::UniqueFd pcm, WorkerModel& model,
                   SendMessage send);

  void cancel() { thread_.request_stop(); }
  // Hands on what a client wants of a live job; of another one nothing can be wanted.
  void wish(protocol::worker::Live message);
  bool finished() const { return finished_; }

 private:
  void run(const protocol::worker::Transcribe& request, const platform::UniqueFd& pcm,
           WorkerModel& model, const std::stop_token& stop);

  SendMessage send_;
  LiveWishes wishes_{};
  std::atomic<bool> finished_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace engine
