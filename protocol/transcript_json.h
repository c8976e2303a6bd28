#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/error.h"
#include "protocol/transcript.h"

namespace protocol {

// openai/whisper's result in its order of keys (text, segments, language), then duration, model,
// device, device_reason, fallback (null where no GPU was passed over), compute_type, task, timings
// and warnings. Where no segment has words, the key is left out; so are a segment's language,
// channel and speaker where it has none. What is not openai/whisper's, duration and timings, is
// rounded to milliseconds.
nlohmann::ordered_json to_json(const Transcript& transcript);
nlohmann::ordered_json to_json(const Segment& segment);

// Reads what to_json() wrote.
Result<Transcript> parse_transcript(std::string_view text);

}  // namespace protocol
