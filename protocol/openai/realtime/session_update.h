#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "protocol/openai/realtime/refusal.h"
#include "protocol/openai/realtime/session.h"

namespace protocol::openai::realtime {

// Returns whether a `session` has the flat shape of the beta: `input_audio_format` and the like.
bool is_flat(const nlohmann::json& session);

// Returns the configuration with what a client's `session` changes, in either shape: an absent
// field keeps its value, and what is wrong changes nothing at all. Fields that mean nothing for a
// transcription are ignored. `path` is what stands before the names of fields in a Refusal; empty:
// nothing.
Checked<SessionConfig> updated(const SessionConfig& before, const nlohmann::json& session,
                               const std::string& path = "session");

}  // namespace protocol::openai::realtime
