#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/transcription/model_pool.h"

namespace server {

// A loaded model in a few lines: device, why, memory, and each card that is not used with its fix.
std::string text_of(const LoadedModel& model);

nlohmann::json json_of(const LoadedModel& model);
nlohmann::json loaded_model_schema();

}  // namespace server
