#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/live_align.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// One pass over the buffer of a live transcription.
struct LivePass {
  MelWindow mel;
  std::int64_t begin = 0;  // of the buffer, a sample of the session
  std::int64_t frames = 0;
  double speech_end = 0;          // in seconds of the session
  std::string language;           // a code; empty: to be detected
  std::vector<int> prompt;        // tokens of the text before the buffer
  std::vector<HeardWord> prefix;  // the committed words in it
  std::size_t earlier = 0;        // so many of them are of earlier turns
  double last_speech_end = 0;     // before the buffer, in seconds
  bool is_last_chance = false;    // the sound will not be heard again
  bool may_end_turn = false;      // the turn's words are wanted anew, too
};

struct HeardSound {
  std::string language;
  double language_probability = 1;
  // The words behind the prefix are unset where the text fails by the thresholds or the guards
  // (live_guards.h), and empty in silence.
  std::optional<std::vector<HeardWord>> words;
  DecodingResult result;  // without the prefix
  // All words of the turn in the buffer, as they are heard in one go behind those of earlier turns.
  // Unset where nobody wants them, or that text fails.
  std::optional<std::vector<HeardWord>> whole;
};

// Encodes the buffer (short, if the model and the options allow it), decodes greedily behind the
// prefix, without timestamps, and looks where the decoder looked for each word. A last chance also
// tries the other temperatures, and keeps what comes of it. If the text of a short window may be
// the last and is doubtful, the buffer is encoded in full and decoded again.
Result<HeardSound> hear_sound(Runner& runner, const Tokenizer& tokenizer, LivePass pass,
                              const TranscriptionOptions& options, const std::stop_token& stop);

}  // namespace engine
