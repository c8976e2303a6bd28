#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "engine/audio/mel_spool.h"
#include "platform/unique_fd.h"

namespace engine {

struct ListenedAudio {
  MelSpool spool;
  std::int64_t content_frames = 0;  // 10 ms each
  double duration_s = 0;
};

// Reads a pipe of float32 samples (16 kHz, mono) to its end and keeps its log-mel frames.
// `heard` is told how many seconds came in so far, after every block of about half a minute.
Result<ListenedAudio> listen(const platform::UniqueFd& pcm, int n_mels,
                             const std::function<void(double seconds)>& heard,
                             const std::stop_token& stop);

}  // namespace engine
