#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/vad/silero_vad.h"
#include "engine/whisper/audio/mel_spool.h"
#include "platform/unique_fd.h"

namespace engine {

struct ListenedAudio {
  MelSpool spool;
  std::int64_t content_frames = 0;  // 10 ms each
  std::int64_t samples = 0;
  double duration_s = 0;
  std::vector<float> speech;  // probability in each chunk of 512 samples: 450 kB an hour
};

// Reads a pipe of float32 samples (16 kHz, mono) to its end and keeps its log-mel frames.
// `heard` is told how many seconds came in so far, after every block of about half a minute.
// Where there is a `vad`, it hears them too.
Result<ListenedAudio> listen(const platform::UniqueFd& pcm, int n_mels,
                             const std::function<void(double seconds)>& heard, SileroVad* vad,
                             const std::stop_token& stop);

}  // namespace engine
