#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "protocol/openai/realtime/session.h"

namespace protocol::openai::realtime {

using Json = nlohmann::ordered_json;

struct SessionFacts {
  std::string id{};
  long long expires_at = 0;  // seconds since 1970
};

// These write a session's configuration in effect, as `session` of events and answers have it. The
// flat one is the shape of the beta. `noise_reduction` is null whatever the client has asked for,
// because there is none.
Json nested_session(const SessionConfig& config, const SessionFacts& facts);
Json flat_session(const SessionConfig& config, const SessionFacts& facts);

// Writes what a client has set, for updated() to read again: what it has not set stays open.
std::string stored_session(const SessionConfig& config);

}  // namespace protocol::openai::realtime
