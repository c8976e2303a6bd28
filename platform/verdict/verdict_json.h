#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/verdict/choice.h"

// These functions write what `scribed doctor --json` and the status of a server show. Sizes are
// bytes; what is unknown is left out.
namespace platform {

void to_json(nlohmann::json& json, const Finding& finding);
void to_json(nlohmann::json& json, const Verdict& verdict);
void to_json(nlohmann::json& json, const Fallback& fallback);
void to_json(nlohmann::json& json, const Choice& choice);

}  // namespace platform
