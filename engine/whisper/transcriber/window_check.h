#pragma once

#include <optional>

#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/hearing.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns whether the text of a short window may be worse than that of the full one: its average
// log probability is low, it repeats itself, its no-speech probability is above the threshold, it
// is empty although somebody speaks, or its last timestamp is more than 1.5 s before the end of
// speech and the next window does not begin there.
//   speech_end           seconds from the start of the window; unset if the text has no timestamps
//   no_speech_threshold  unset: no such rule
bool is_doubtful(const DecodingResult& result, int timestamp_begin,
                 std::optional<double> speech_end, std::optional<double> no_speech_threshold);

// Returns the same of the window at `place` in a recording. Its text has timestamps unless the
// options say otherwise.
Result<bool> is_doubtful(const DecodingResult& result, const Tokenizer& tokenizer,
                         const Hearing& hearing, const Clip& place,
                         const TranscriptionOptions& options);

}  // namespace engine
