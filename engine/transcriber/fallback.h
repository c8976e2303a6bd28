#pragma once

#include <stop_token>

#include "engine/runner/runner.h"
#include "engine/transcriber/transcription_options.h"

namespace engine {

// Decodes a window at one temperature after the other until the text is neither too repetitive nor
// too improbable, or is silence. When none succeeds the last result counts.
// openai/whisper transcribe.py `decode_with_fallback`.
//   decoding: everything but temperature, beam and sampling options, which come from `options`
Result<DecodingResult> decode_with_fallback(Runner& runner, const Tokenizer& tokenizer,
                                            const EncodedWindow& window, DecodingOptions decoding,
                                            const TranscriptionOptions& options,
                                            const std::stop_token& stop);

// Whether `result` should be tried again at a higher temperature.
bool needs_fallback(const DecodingResult& result, const TranscriptionOptions& options);

// Whether the window holds no speech, so that its text is dropped. As openai/whisper decides it;
// but a text twice as improbable as the threshold allows is a guess, as music and noise give it at
// the highest temperature, and half of the silence's probability is enough then.
bool is_silence(const DecodingResult& result, const TranscriptionOptions& options);

}  // namespace engine
