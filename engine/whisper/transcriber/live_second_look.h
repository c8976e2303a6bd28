#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/whisper/audio/mel_listener.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Hears a turn once more when it has ended, as a recording of its own: with beams, all temperatures
// and timestamps, and window by window where it is longer than one. Its frames are on disk until
// then.
class SecondLook {
 public:
  static Result<SecondLook> begin(int n_mels);

  Result<void> push(std::span<const float> samples) { return mel_.push(samples); }

  // The parts that hear the turn, beside the options. The text before the turn is no prompt: behind
  // a short turn the decoder would say that text again.
  struct Context {
    std::int64_t begin = 0;  // of the turn, a sample of the session
    std::string language{};  // a code; empty: to be detected
  };
  // Returns the turn's segments with their words, on the session's clock. It is called once.
  Result<std::vector<Segment>> transcribe(Runner& runner, const Tokenizer& tokenizer,
                                          const Context& context, TranscriptionOptions options,
                                          const std::stop_token& stop);

 private:
  explicit SecondLook(MelListener mel) : mel_(std::move(mel)) {}

  MelListener mel_;
};

}  // namespace engine
