#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/live_words.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "engine/whisper/words/hallucinations.h"

namespace engine {

// One pass over the buffer of a live transcription.
struct LivePass {
  at::Tensor mel;  // the encoder's input
  WindowPlace place;
  std::string language;         // a code; empty: to be detected
  std::vector<int> prompt;      // tokens of the text before the buffer
  double last_speech_end = 0;   // seconds
  bool is_last_chance = false;  // the sound will not be heard again
};

struct HeardWindow {
  std::string language;
  double language_probability = 1;
  // The words are unset where the text fails by the thresholds, and empty in silence.
  std::optional<std::vector<HeardWord>> words;
  // The pass has decoded up to here, in seconds; the rest is a window of its own, where nothing
  // more is to come.
  double end = 0;
  DecodingResult result;
};

Result<HeardWindow> hear_window(Runner& runner, const Tokenizer& tokenizer, const LivePass& pass,
                                const TranscriptionOptions& options, const std::stop_token& stop);

}  // namespace engine
