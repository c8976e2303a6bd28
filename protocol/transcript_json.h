#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "protocol/error.h"
#include "protocol/json_pieces.h"
#include "protocol/transcript.h"

namespace protocol {

// Writes openai/whisper's result in its order of keys (text, segments, language), then duration,
// model, device, device_reason, fallback (null if no GPU was passed over), compute_type, task,
// timings and warnings, and speakers with their seconds where there are turns. Words then name
// their speaker, too. If no segment has words, the key is left out; so are a segment's language,
// channel, speaker and token_logprobs if it has none. duration and timings, which openai/whisper
// does not have, are rounded to milliseconds.
nlohmann::ordered_json to_json(const Transcript& transcript);
nlohmann::ordered_json to_json(const Segment& segment);

// Writes the text of to_json(), whose segments are never all in memory as JSON.
std::string json_text(const Transcript& transcript, const json::TextStyle& style);

// Writes [{"start", "end", "speaker"}], with the channel where it is known, and [{"id", "seconds"}]
// for the speakers of these turns.
nlohmann::ordered_json turns_json(std::span<const SpeakerTurn> turns);
nlohmann::ordered_json speakers_json(std::span<const SpeakerTurn> turns);

// Reads what to_json() wrote.
Result<Transcript> parse_transcript(std::string_view text);

}  // namespace protocol
