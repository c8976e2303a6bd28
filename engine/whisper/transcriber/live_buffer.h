#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine/whisper/audio/log_mel.h"
#include "engine/whisper/transcriber/live_cut.h"

namespace engine {

// The latest sound of a recording that goes on, and what the encoder hears of it: at most 30
// seconds. The floor is 8 below the loudest frame heard so far, in the buffer or before it, where
// openai/whisper takes the loudest of the whole recording: what comes before the first loud sound
// keeps quiet details that it would have flattened; after that the two are the same. The frame at
// the beginning hears a reflection of the buffer rather than what was cut off.
class LiveBuffer {
 public:
  explicit LiveBuffer(int n_mels) : mel_(n_mels) {}

  void append(std::span<const float> samples);
  // Forgets what lies before `time`, which is taken down to a whole frame.
  void cut(double time);

  LiveSpan span() const;
  std::int64_t first_frame() const { return first_frame_; }
  std::int64_t frames() const { return static_cast<std::int64_t>(samples_.size()) / hop_length; }
  // Returns how many samples there is room for.
  std::size_t room() const;

  //   returns  [n_mels, 3000]
  at::Tensor encoder_input();

 private:
  LogMel mel_;  // unused, to be copied for each pass
  std::vector<float> samples_;
  std::int64_t first_frame_ = 0;  // of the recording
  float maximum_ = silence_log_mel;
};

}  // namespace engine
