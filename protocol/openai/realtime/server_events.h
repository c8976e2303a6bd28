#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "protocol/live_events.h"
#include "protocol/openai/realtime/refusal.h"
#include "protocol/openai/realtime/session_json.h"
#include "protocol/transcript.h"

// The parts of what a server sends, but for the ids of events.
namespace protocol::openai::realtime {

// Which of the API's two revisions a client speaks. They differ in the names of a few events.
enum class Revision { released, beta };

// Writes the item of a turn; no transcript is null.
Json item_json(const std::string& id, const std::optional<std::string>& transcript,
               Revision revision);

// Writes {"type": …, "code": …, "message": …, "param": …}; `event_id` is the client's and only
// there where it is given.
Json error_json(const char* type, const Refusal& refusal);
Json error_json(const char* type, const Refusal& refusal, const std::string& event_id);

// Returns the words' text without a space at its begin if nothing stands before it.
std::string delta_text(std::span<const Word> words, bool is_first);

// Writes how probable each word is: scribed decides words, so a word stands where OpenAI has a
// token.
Json logprobs_json(std::span<const Word> words);

// Writes the fields of a turn's end, as `completed` has them.
Json completed_json(const TurnEnded& turn, bool with_logprobs);
// Writes the fields of `segment`.
Json segment_json(const TurnEnded& turn);

}  // namespace protocol::openai::realtime
