#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/audio/pcm_spool.h"
#include "engine/speakers/speaker_networks.h"
#include "engine/speakers/turns.h"
#include "engine/vad/silero_weights.h"

namespace engine {

// Finds out who speaks when on a thread of its own, so that nobody who has other things to do with
// the recording waits for it. The sound is kept on disk until the recording has ended, and listened
// to from then on: whoever reads a recording has work enough for the processor until it has ended.
// Memory is that of SpeakerAnalysis. The destructor waits for a batch of the networks at most, or
// for the clustering.
class SpeakerThread : public PcmSink {
 public:
  // `prepare` is called first on the new thread. `vad` listens, too, unless it is null.
  SpeakerThread(std::shared_ptr<const SpeakerNetworks> networks, SpeakerBounds bounds,
                std::vector<KnownVoice> voices, SpoolFile file, std::function<void()> prepare,
                std::shared_ptr<const SileroWeights> vad = nullptr);

  Result<void> push(std::span<const float> pcm) override { return sound_.push(pcm); }
  Result<void> finish() override;

  // Waits for the turns; to be called once, when the recording has finished. `heard` is called
  // about twice a second with how many seconds the networks have heard. Fails with `cancelled` on a
  // stop request, and as the spool file fails. Exceptions of the networks go through.
  Result<Turns> turns(const std::function<void(double seconds)>& heard,
                      const std::stop_token& stop);

 private:
  void run(const std::stop_token& stop);
  Result<Turns> find(const std::stop_token& stop);

  std::shared_ptr<const SpeakerNetworks> networks_;
  SpeakerBounds bounds_;
  std::vector<KnownVoice> voices_;
  PcmSpool sound_;
  std::function<void()> prepare_;
  std::shared_ptr<const SileroWeights> vad_;
  std::atomic<std::int64_t> heard_ = 0;  // samples
  std::mutex mutex_;
  std::condition_variable_any news_;
  std::optional<Result<Turns>> result_{};  // guarded by mutex_, as the next
  std::exception_ptr failure_{};
  std::jthread thread_{};  // last: it uses the others
};

}  // namespace engine
