#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// The result of the tries at a window.
struct WindowTries {
  DecodingResult chosen;
  DecodingResult last;
};

// Decodes a window at one temperature after the other until the text is neither too repetitive nor
// too improbable, or is silence. When none succeeds `best_try` says which counts.
// openai/whisper transcribe.py `decode_with_fallback`.
//   decoding: everything but temperature, beam and sampling options, which come from `options`
//   first: the try at the first temperature, where it has been made already
Result<WindowTries> decode_with_fallback(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window, DecodingOptions decoding,
                                         const TranscriptionOptions& options,
                                         const std::stop_token& stop,
                                         std::optional<DecodingResult> first = std::nullopt);

// Returns `decoding` as it is tried first.
DecodingOptions first_try(DecodingOptions decoding, const TranscriptionOptions& options);

// Makes the first of those tries alone.
Result<DecodingResult> decode_first(Runner& runner, const Tokenizer& tokenizer,
                                    const EncodedWindow& window, const DecodingOptions& decoding,
                                    const TranscriptionOptions& options,
                                    const std::stop_token& stop);

// Returns whether the text repeats itself.
bool is_repetitive(const DecodingResult& result, const TranscriptionOptions& options);

// Returns whether `result` should be tried again at a higher temperature.
bool needs_fallback(const DecodingResult& result, const TranscriptionOptions& options);

// Returns which of some tries counts that have all failed: the most probable of those that do not
// repeat themselves, or of all where each does (faster-whisper transcribe.py); or the last one, as
// openai/whisper has it, where the options say so.
//   tries: in their order, at least one
const DecodingResult& best_try(std::span<const DecodingResult> tries,
                               const TranscriptionOptions& options);

// Returns whether the window holds no speech, so that its text is dropped. openai/whisper decides
// it so; but a text twice as improbable as the threshold allows is a guess, as music and noise give
// it at the highest temperature, and half of the silence's probability is enough then. So it is the
// last try that tells.
bool is_silence(const DecodingResult& result, const TranscriptionOptions& options);

}  // namespace engine
