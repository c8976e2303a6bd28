#pragma once

#include <cstdint>
#include <utility>

#include "engine/audio/pcm_sink.h"
#include "engine/whisper/audio/log_mel.h"
#include "engine/whisper/audio/mel_spool.h"

namespace engine {

// Keeps what Whisper hears of a recording: its log-mel frames, on disk.
class MelListener : public PcmSink {
 public:
  MelListener(int n_mels, MelSpool spool) : mel_(n_mels), spool_(std::move(spool)) {}

  Result<void> push(std::span<const float> pcm) override { return spool_.append(mel_.push(pcm)); }
  Result<void> finish() override { return spool_.append(mel_.finish()); }

  // The spool is complete once the listener has finished.
  const MelSpool& spool() const { return spool_; }
  std::int64_t content_frames() const { return mel_.content_frames(); }

 private:
  LogMel mel_;
  MelSpool spool_;
};

}  // namespace engine
