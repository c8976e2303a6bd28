#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "server/base/error.h"

namespace server {

// Returns the body of the request that names speakers, made of words such as "A=Anna"; "A=" gives
// the letter back. Errors: usage.
Result<std::string> speaker_names_body(std::span<const std::string> words);

// Returns what the speakers of a job are called, as a line: "A is Anna, B". Empty: it has none.
std::string speakers_text(const nlohmann::json& job);

}  // namespace server
