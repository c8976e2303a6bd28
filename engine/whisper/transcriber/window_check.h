#pragma once

#include <optional>

#include "engine/whisper/decoding/decoding_options.h"

namespace engine {

// Returns whether the text of a short window may be worse than that of the full one: its average
// log probability is low, it repeats itself, or its last timestamp is more than a second before the
// end of speech.
//   speech_end  seconds from the start of the window; unset if the text has no timestamps
bool is_doubtful(const DecodingResult& result, int timestamp_begin,
                 std::optional<double> speech_end);

}  // namespace engine
