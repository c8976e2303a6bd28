#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/verdict/choice.h"

// As `scribed doctor --json` and the status of a server show them. Sizes are bytes; what is not
// known is left out.
namespace platform {

void to_json(nlohmann::json& json, const Finding& finding);
void to_json(nlohmann::json& json, const Verdict& verdict);
void to_json(nlohmann::json& json, const Fallback& fallback);
void to_json(nlohmann::json& json, const Choice& choice);

}  // namespace platform
