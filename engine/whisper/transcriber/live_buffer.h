#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/whisper/audio/log_mel.h"
#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/transcriber/live_cut.h"

namespace engine {

// The latest sound of a turn, and what the encoder hears of it: at most 30 seconds. The floor is 8
// below the loudest frame of the turn so far, in the buffer or before it, where openai/whisper
// takes the loudest of the whole recording: what comes before the first loud sound keeps quiet
// details that it would have flattened; after that the two are the same. The frame at the beginning
// hears a reflection of the buffer rather than what was cut off.
class LiveBuffer {
 public:
  // The sound begins at that sample of the session.
  LiveBuffer(int n_mels, std::int64_t begin) : mel_(n_mels), begin_(begin) {}

  void append(std::span<const float> samples);
  // Forgets what lies before `time`, in seconds of the session.
  void cut(double time);

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + static_cast<std::int64_t>(samples_.size()); }
  LiveSpan span() const;
  std::int64_t frames() const { return static_cast<std::int64_t>(samples_.size()) / hop_length; }
  // Returns how many samples there is room for.
  std::size_t room() const;

  // Returns nothing where nothing can be heard in it.
  std::optional<MelWindow> encoder_input();

 private:
  LogMel mel_;  // unused, to be copied for each pass
  std::vector<float> samples_;
  std::int64_t begin_;
  float maximum_ = silence_log_mel;
};

}  // namespace engine
